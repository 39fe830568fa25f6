// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/scan.hpp>

namespace thalweg::mesh {

/// Leaves in the curve's order, and the weight of each.
template <int D>
struct WeighedLeaves {
  std::vector<Key<D>> leaves{};
  std::vector<std::int64_t> weights{};

  void add(const Key<D>& leaf, std::int64_t weight) {
    leaves.push_back(leaf);
    weights.push_back(weight);
  }
};

template <int D>
WeighedLeaves<D> of_equal_weight(std::vector<Key<D>> leaves) {
  std::vector<std::int64_t> weights(leaves.size(), 1);
  return {std::move(leaves), std::move(weights)};
}

/// What a rank does with its leaves when they are partitioned anew.
template <int D>
struct HandOver {
  WeighedLeaves<D> kept{};
  Messages<WeighedKey<D>> given{};  ///< to their new owners
};

/// What lower ranks hold, and what all do.
struct LeafSums {
  LeafSum before;
  LeafSum all;
};

/// What one rank holds, to be combined with what others do.
constexpr LeafSum sum_of(const LeafLoad& load) {
  return {load.n_leaves, load.weight, load.weight, load.finest};
}
/// From what each rank holds.
LeafSums sums_of(std::span<const LeafLoad> rank_loads, Rank rank);

/// Cut leaves into parts of equal weight along the curve: chunk_owner, over all ranks' leaves.
/// @errors Error where all weights together exceed 2^62
template <int D>
HandOver<D> hand_over(const WeighedLeaves<D>& leaves, const LeafSums& sums, Rank rank, int n_ranks);

/// The leaves kept and those that arrived, in the curve's order.
template <int D>
WeighedLeaves<D> collect_handed(Rank rank, WeighedLeaves<D> kept,
                                const Messages<WeighedKey<D>>& arrived);

/// How uneven what each rank holds is, by weight.
double imbalance_of(const LeafSum& all, int n_ranks);

/// A forest that was partitioned, and what that was good for.
template <int D>
struct Partitioned {
  LeafForest<D> forest;
  std::vector<std::int64_t> weights{};  ///< of its leaves on this rank
  double imbalance_before = 1;          ///< largest load over mean load, leaves where they were
  double imbalance_after = 1;
};

/// As initial_leaves, with the table of the curve's parts once a compute node. Collective.
template <int D, Collectives R>
LeafForest<D> initial_leaves(const LeafRules<D>& rules, int level, Rank rank, int n_ranks,
                             R&& collectives) {
  const Directory directory = directory_for(n_ranks);
  if (directory == Directory::routed) return initial_leaves(rules, level, rank, n_ranks, directory);
  static_cast<void>(count_blocks(rules.geometry, level));  // throws, where it does, on all ranks
  auto splitters = collectives.write_node_shared(
      static_cast<std::size_t>(n_ranks) + 1,
      [&](std::span<std::uint64_t> to) { write_initial_splitters<D>(rules, level, to); });
  return initial_leaves(rules, level, rank, n_ranks, directory, std::move(splitters));
}

/// As next_forest, with the table of the curve's parts once a compute node. Collective.
template <int D, Collectives R>
LeafForest<D> next_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                          std::span<const LeafLoad> rank_loads, R& collectives) {
  auto splitters = collectives.write_node_shared(
      rank_loads.size() + 1,
      [&](std::span<std::uint64_t> to) { write_splitters<D>(old.rules, rank_loads, to); });
  return next_forest<D>(old, std::move(leaves), rank_loads, std::move(splitters));
}

/// What ranks hold, as one of them learns it.
struct KnownLoads {
  LeafLoad mine;
  LeafSums sums;
  NodeSharedArray<LeafLoad> of_ranks{};  ///< where there is a table
};

/// Learn what ranks hold. Collective.
template <int D, Collectives R>
KnownLoads find_loads(const LeafForest<D>& forest, const LeafLoad& mine, R& collectives) {
  if (forest.has_table()) {
    auto rank_loads = collectives.all_gather_many(std::span(&mine, 1));
    const LeafSums sums = sums_of(rank_loads, forest.rank);
    return {mine, sums, std::move(rank_loads)};
  }
  const auto sums =
      scan_all_reduce(std::vector{sum_of(mine)}, forest.rank, forest.n_ranks, collectives);
  return {mine, {sums.before[0], sums.all[0]}};
}

/// The next revision of a forest, with a table or without, as the old one. Collective.
template <int D, Collectives R>
LeafForest<D> make_next(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                        const KnownLoads& rank_loads, R& collectives) {
  if (old.has_table())
    return next_forest<D>(old, std::move(leaves), rank_loads.of_ranks, collectives);
  const LeafSums& sums = rank_loads.sums;
  LeafForest<D> next = next_routed_forest<D>(old, std::move(leaves), sums.before, sums.all);
  const std::uint64_t first =
      rank_loads.mine.n_leaves > 0 ? rank_loads.mine.first_position : curve_end(old.geometry());
  auto routing_tables =
      find_routing_tables({first}, {sums.before.n_leaves == 0}, old.rank, old.n_ranks, collectives);
  next.directory = {old.rank, old.n_ranks, std::move(routing_tables[0]), curve_end(old.geometry())};
  return next;
}

/// Give a forest its next leaves, cut anew along the curve. Collective.
///
/// @param leaves  this rank's; lower ranks' come before higher ranks'; weights at least 1
/// @cost  a round and two all-gathers, O(local leaves + n_ranks); or without a table 5
///        ceil(log2 n_ranks) rounds, O(local leaves)
template <int D, Collectives R>
Partitioned<D> partition_leaves(const LeafForest<D>& old, WeighedLeaves<D> leaves, R& collectives,
                                Threshold threshold = {}) {
  const auto make = [&](const KnownLoads& loads, double before) {
    return Partitioned<D>{make_next(old, std::move(leaves.leaves), loads, collectives),
                          std::move(leaves.weights), before,
                          imbalance_of(loads.sums.all, old.n_ranks)};
  };
  const auto find = [&] {
    return find_loads(old, leaf_load_of<D>(old.rules, leaves.leaves, leaves.weights), collectives);
  };
  double before = 1;
  HandOver<D> handed;
  {
    const KnownLoads loads = find();  // of all ranks: gone before the next round
    before = imbalance_of(loads.sums.all, old.n_ranks);
    if (before <= threshold.imbalance && threshold.imbalance > 1) return make(loads, before);
    handed = hand_over<D>(leaves, loads.sums, old.rank, old.n_ranks);
  }
  leaves = collect_handed(old.rank, std::move(handed.kept), collectives.exchange(handed.given));
  return make(find(), before);
}

/// Adapt a forest to refine flags: refine and coarsen, balance, partition. Collective.
///
/// See balanced_leaves and partition_leaves.
/// @param weigh   cost of a leaf: std::int64_t weigh(const Key<D>&), >= 1
template <int D, Collectives R, class Weigh>
Partitioned<D> adapt(const LeafForest<D>& old,
                     std::type_identity_t<std::span<const RefineFlag>> flags, R& collectives,
                     Weigh&& weigh, Threshold threshold = {}) {
  WeighedLeaves<D> leaves{balanced_leaves(old, flags, collectives)};
  for (const Key<D>& leaf : leaves.leaves) leaves.weights.push_back(weigh(leaf));
  return partition_leaves(old, std::move(leaves), collectives, threshold);
}

/// As above, with all leaves of the same cost.
template <int D, Collectives R>
LeafForest<D> adapt(const LeafForest<D>& old,
                    std::type_identity_t<std::span<const RefineFlag>> flags, R& collectives) {
  return adapt(old, flags, collectives, [](const Key<D>&) { return std::int64_t{1}; }).forest;
}

}  // namespace thalweg::mesh
