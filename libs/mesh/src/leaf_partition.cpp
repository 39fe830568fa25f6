// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_partition.hpp>

#include <algorithm>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/assign.hpp>
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
HandOver<D> hand_over(const WeighedLeaves<D>& leaves, const LeafSums& sums, Rank rank,
                      int n_ranks) {
  THALWEG_EXPECT(leaves.weights.size() == leaves.leaves.size(), "weights are for other leaves");
  std::int64_t total = 0;
  add_checked(total, sums.all.weight, "the weights of all leaves");
  HandOver<D> handed;
  const auto owners = assign_in_order(leaves.weights, sums.before.weight, total, n_ranks);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] == rank)
      handed.kept.add(leaves.leaves[i], leaves.weights[i]);
    else
      handed.given.emplace_back(owners[i], WeighedKey<D>{leaves.leaves[i], leaves.weights[i]});
  }
  return handed;
}

template <int D>
WeighedLeaves<D> collect_handed(Rank rank, WeighedLeaves<D> kept,
                                const Messages<WeighedKey<D>>& arrived) {
  // Lower ranks' leaves come before this rank's on the curve, and messages come sorted by source.
  WeighedLeaves<D> leaves;
  for (const auto& [from, leaf] : arrived)
    if (from < rank) leaves.add(leaf.key, leaf.weight);
  leaves.leaves.insert(leaves.leaves.end(), kept.leaves.begin(), kept.leaves.end());
  leaves.weights.insert(leaves.weights.end(), kept.weights.begin(), kept.weights.end());
  for (const auto& [from, leaf] : arrived)
    if (from > rank) leaves.add(leaf.key, leaf.weight);
  return leaves;
}

double imbalance_of(const LeafSum& all, int n_ranks) {
  return imbalance(all.most_weight, all.weight, static_cast<std::size_t>(n_ranks));
}

#define THALWEG_INSTANTIATE(D)                                                         \
  template HandOver<D> hand_over(const WeighedLeaves<D>&, const LeafSums&, Rank, int); \
  template WeighedLeaves<D> collect_handed(Rank, WeighedLeaves<D>, const Messages<WeighedKey<D>>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
