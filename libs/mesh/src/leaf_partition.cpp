// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_partition.hpp>

#include <algorithm>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/imbalance.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

LeafSums sums_of(std::span<const LeafLoad> rank_loads, Rank rank) {
  LeafSums sums;
  for (std::size_t q = 0; q < rank_loads.size(); ++q) {
    if (q == rank()) sums.before = sums.all;
    sums.all = combined(sums.all, sum_of(rank_loads[q]));
  }
  return sums;
}

template <int D>
HandOver<D> hand_over(std::span<const Key<D>> leaves, std::span<const std::int64_t> weights,
                      const LeafSums& sums, Rank rank, int n_ranks) {
  THALWEG_EXPECT(weights.size() == leaves.size(), "weights are for other leaves");
  if (sums.all.weight > std::int64_t{1} << 62)
    throw Error(
        "the weights of all leaves sum to more than 2^62 (more than can be counted); use a larger "
        "unit of cost");
  HandOver<D> handed;
  std::int64_t before = sums.before.weight;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Rank to = chunk_owner(before, weights[i], sums.all.weight, n_ranks);
    before += weights[i];
    if (to == rank)
      handed.kept.push_back(leaves[i]);
    else
      handed.given.emplace_back(to, leaves[i]);
  }
  return handed;
}

template <int D>
std::vector<Key<D>> collect_handed(Rank rank, std::vector<Key<D>> kept,
                                   const Messages<Key<D>>& arrived) {
  // Lower ranks' leaves come before this rank's on the curve, and messages come sorted by source.
  std::vector<Key<D>> leaves;
  leaves.reserve(kept.size() + arrived.size());
  for (const auto& [from, leaf] : arrived)
    if (from < rank) leaves.push_back(leaf);
  leaves.insert(leaves.end(), kept.begin(), kept.end());
  for (const auto& [from, leaf] : arrived)
    if (from > rank) leaves.push_back(leaf);
  return leaves;
}

double imbalance_of(const LeafSum& all, int n_ranks) {
  return imbalance(all.most_weight, all.weight, static_cast<std::size_t>(n_ranks));
}

template HandOver<1> hand_over<1>(std::span<const Key<1>>, std::span<const std::int64_t>,
                                  const LeafSums&, Rank, int);
template HandOver<2> hand_over<2>(std::span<const Key<2>>, std::span<const std::int64_t>,
                                  const LeafSums&, Rank, int);
template HandOver<3> hand_over<3>(std::span<const Key<3>>, std::span<const std::int64_t>,
                                  const LeafSums&, Rank, int);
template std::vector<Key<1>> collect_handed(Rank, std::vector<Key<1>>, const Messages<Key<1>>&);
template std::vector<Key<2>> collect_handed(Rank, std::vector<Key<2>>, const Messages<Key<2>>&);
template std::vector<Key<3>> collect_handed(Rank, std::vector<Key<3>>, const Messages<Key<3>>&);

}  // namespace thalweg::mesh
