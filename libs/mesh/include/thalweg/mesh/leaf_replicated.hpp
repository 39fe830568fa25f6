// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

// The same as leaf_adapt.hpp where every rank knows all leaves: for small runs, and as the oracle.
// It follows the definitions: leaves are split one by one until no two that touch differ by more.

/// A leaf and its flag.
template <int D>
struct FlaggedLeaf {
  Key<D> key;
  RefineFlag flag = RefineFlag::keep;
};

/// Adapt the set of all leaves, in any order; the result is in the curve's order. Pure.
/// @cost O(all leaves)
template <int D>
std::vector<Key<D>> adapt_all(const LeafRules<D>& rules,
                              std::type_identity_t<std::span<const FlaggedLeaf<D>>> leaves);

/// The forest of a rank, from all leaves in the curve's order and their weights.
template <int D>
LeafForest<D> partition_all(const LeafForest<D>& old,
                            std::type_identity_t<std::span<const Key<D>>> leaves,
                            std::span<const std::int64_t> weights);

/// Send one's leaves with their flags to all ranks.
template <int D>
Messages<FlaggedLeaf<D>> send_to_all(const LeafForest<D>& forest,
                                     std::span<const RefineFlag> flags);

/// What adapt does, bit by bit, with all leaves on every rank. Collective.
/// @cost  a round, O(all leaves) of memory and time on every rank
template <int D, Collectives R, class Weigh>
LeafForest<D> adapt_replicated(const LeafForest<D>& old,
                               std::type_identity_t<std::span<const RefineFlag>> flags,
                               R& collectives, Weigh&& weigh) {
  std::vector<FlaggedLeaf<D>> all;
  for (const auto& [from, leaf] : collectives.exchange(send_to_all(old, flags)))
    all.push_back(leaf);
  const std::vector<Key<D>> leaves = adapt_all<D>(old.rules, all);
  std::vector<std::int64_t> weights;
  for (const Key<D>& leaf : leaves) weights.push_back(weigh(leaf));
  return partition_all<D>(old, leaves, weights);
}

}  // namespace thalweg::mesh
