// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// What a rank does with its leaves when they are partitioned anew.
template <int D>
struct HandOver {
  std::vector<Key<D>> kept;
  Messages<Key<D>> given;  ///< to their new owners
};

/// Cut leaves into parts of equal weight along the curve: chunk_owner, over all ranks' leaves.
/// @param weights  of the leaves, each at least 1
/// @param shares   what each rank holds; sums of weights on lower ranks are what comes before
/// @errors Error where all weights together exceed 2^62
template <int D>
HandOver<D> hand_over(std::span<const Key<D>> leaves, std::span<const std::int64_t> weights,
                      std::span<const LeafShare> shares, Rank rank);

/// The leaves kept and those that arrived, in the curve's order.
template <int D>
std::vector<Key<D>> collect_handed(Rank rank, std::vector<Key<D>> kept,
                                   const Messages<Key<D>>& arrived);

/// How uneven what each rank holds is, by weight.
double imbalance_of(std::span<const LeafShare> shares);

/// A forest that was partitioned, and what that was good for.
template <int D>
struct Partitioned {
  LeafForest<D> forest;
  double imbalance_before = 1;  ///< largest load over mean load, leaves where they were
  double imbalance_after = 1;
};

/// As next_forest, with the table of the curve's parts once a machine. Collective.
template <int D, Rounds R>
LeafForest<D> next_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                          std::span<const LeafShare> shares, R& rounds) {
  auto splitters = rounds.write_once(shares.size() + 1, [&](std::span<std::uint64_t> to) {
    write_splitters<D>(old.rules, shares, to);
  });
  return next_forest<D>(old, std::move(leaves), shares, std::move(splitters));
}

/// Give a forest its next leaves, cut anew along the curve. Collective.
///
/// @param leaves  this rank's, in order; lower ranks' come before higher ranks'
/// @param weigh   cost of a leaf: std::int64_t weigh(const Key<D>&), >= 1
/// @cost  a round and two all-gathers, O(local leaves + n_ranks)
template <int D, Rounds R, class Weigh>
Partitioned<D> partition_leaves(const LeafForest<D>& old, std::vector<Key<D>> leaves, R& rounds,
                                Weigh&& weigh, Threshold threshold = {}) {
  const auto share = [&](std::span<const Key<D>> held) {
    std::vector<std::int64_t> weights;
    weights.reserve(held.size());
    for (const Key<D>& leaf : held) weights.push_back(weigh(leaf));
    const LeafShare mine = share_of<D>(old.rules, held, weights);
    return std::pair(rounds.all_gather_many(std::span(&mine, 1)), weights);
  };
  double before = 1;
  HandOver<D> handed;
  {
    const auto [shares, weights] = share(leaves);  // of all ranks: gone before the next round
    before = imbalance_of(shares);
    if (before <= threshold.imbalance && threshold.imbalance > 1)
      return {next_forest<D>(old, std::move(leaves), shares, rounds), before, before};
    handed = hand_over<D>(leaves, weights, shares, old.rank);
  }
  leaves = collect_handed(old.rank, std::move(handed.kept), rounds.exchange(handed.given));
  const auto after = share(leaves).first;
  return {next_forest<D>(old, std::move(leaves), after, rounds), before, imbalance_of(after)};
}

/// Adapt a forest to wishes: refine and coarsen, balance, partition. Collective.
///
/// See balanced_leaves and partition_leaves.
template <int D, Rounds R, class Weigh>
Partitioned<D> adapt(const LeafForest<D>& old, std::type_identity_t<std::span<const Wish>> wishes,
                     R& rounds, Weigh&& weigh, Threshold threshold = {}) {
  return partition_leaves(old, balanced_leaves(old, wishes, rounds), rounds, weigh, threshold);
}

/// As above, with all leaves of the same cost.
template <int D, Rounds R>
LeafForest<D> adapt(const LeafForest<D>& old, std::type_identity_t<std::span<const Wish>> wishes,
                    R& rounds) {
  return adapt(old, wishes, rounds, [](const Key<D>&) { return std::int64_t{1}; }).forest;
}

}  // namespace thalweg::mesh
