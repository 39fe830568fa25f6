// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/block_lists.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

// regrid.hpp in leaf mode: blocks are refined wholly or not at all, and all leaves are divided
// together. The forests are nested ones, with interior nodes where their first leaves are.

/// Leaves by level, as they are decided upon.
template <int D>
KeySets<D> leaves_by_level(std::span<const Key<D>> leaves, int n_levels);
/// What was found level by level, in the order of the leaves. @pre as leaves_by_level has them
template <int D>
std::vector<std::int64_t> in_order_of(std::span<const Key<D>> leaves, const Weights& by_level);
/// The same of owners.
template <int D>
std::vector<Rank> in_order_of(const LeafForest<D>& leaves, const Forest<D>& nested,
                              const Owners& by_level);

/// What is decided upon leaves, for all blocks of a rank's directory: an interior node weighs
/// nothing, and goes where its first leaf goes.
template <int D>
std::pair<Weights, Owners> on_levels(const Forest<D>& nested, const LeafForest<D>& leaves,
                                     std::span<const std::int64_t> weights,
                                     std::span<const Rank> owners);

/// What the next leaves weigh: the old ones' costs, or 1. Collective.
/// @param costs  of the old forest's blocks on this rank, see weights_by_cost; null: none
template <int D, Collectives R>
WeighedLeaves<D> weigh_leaves(const Forest<D>& old, std::vector<Key<D>> leaves,
                              const Weights* costs, R& collectives) {
  if (costs == nullptr) return of_equal_weight(std::move(leaves));
  const auto arrived = exchange_with_directory(old, collectives, send_leaf_costs<D>(old, *costs));
  auto weights =
      in_order_of<D>(leaves, weights_by_cost(old, leaves_by_level<D>(leaves, n_levels_after(old)),
                                             *costs, arrived, collectives));
  return {std::move(leaves), std::move(weights)};
}

/// Make the coarsest balanced forest of leaves that has all wanted blocks, with what lies under the
/// leaves, and partition it. Collective.
///
/// The wanted keys may come from any rank, more than once. Leaves that touch differ by one level at
/// most. The same for any number of ranks, but for who owns what.
/// @param old       made by this, or of level 0 alone
/// @param costs     as weigh_leaves takes them
/// @param n_levels  that the result may have, where old has fewer yet
/// @cost  n_levels + log n_ranks rounds and some gatherings, O(local blocks + n_ranks n_levels);
///        what assign and hand_to_owners take besides, unless along Morton's curve
template <int D, Collectives R>
PartitionedForest<D> regrid_leaves(const Forest<D>& old,
                                   std::type_identity_t<std::span<const Key<D>>> wanted,
                                   R& collectives, int n_levels, const Weights* costs = nullptr,
                                   Threshold threshold = {},
                                   Partitioner partitioner = Partitioner::morton) {
  const bool has_explicit_owners = partitioner != Partitioner::morton;
  if (has_explicit_owners) check_explicit_assignment(old.directory(), old.n_ranks);
  const LeafForest<D> leaves = leaves_of(old, collectives);
  auto next = weigh_leaves(
      old, balanced_leaves(leaves, parents_of<D>(old.geometry, wanted, n_levels), collectives),
      costs, collectives);
  const Partitioned<D> parted = partition_leaves(leaves, std::move(next), collectives,
                                                 has_explicit_owners ? Threshold{} : threshold);
  PartitionedForest<D> result{nested_of(parted.forest, collectives),
                              {{parted.imbalance_before, parted.imbalance_after}}};
  if (!has_explicit_owners) return result;

  const Forest<D>& by_morton = result.forest;
  const Owners owners_now =
      current_owners_of(by_morton, collectives.exchange(send_owned_keys(old, by_morton)));
  const auto [owners, partitions] =
      assign(partitioner, lists_of(parted.forest), {parted.weights},
             {in_order_of(parted.forest, by_morton, owners_now)}, 1, collectives, threshold);
  const auto [weights, of_blocks] =
      on_levels<D>(by_morton, parted.forest, parted.weights, owners[0]);
  return hand_to_owners<D>(by_morton, weights, of_blocks, partitions, collectives);
}

}  // namespace thalweg::mesh
