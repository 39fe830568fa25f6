// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

/// What is to become of a leaf.
enum class RefineFlag : std::int8_t {
  coarsen = -1,  ///< to be replaced by its parent, if all its siblings are leaves with this flag
  keep = 0,
  refine = 1,  ///< to be replaced by its children; not on the finest level allowed
};

/// Interior nodes of the tree, the blocks that have children: level by level, each sorted by key
/// without repetitions.
///
/// They say what the leaves are: the children that have none themselves. A rank cares for those
/// that begin in its part of the curve.
template <int D>
struct InteriorNodes {
  std::vector<std::vector<Key<D>>> levels;

  bool operator==(const InteriorNodes&) const = default;
};

/// Name the blocks that stay or become interior nodes because of the flags of this rank's leaves.
///
/// For each leaf the finest such block; what is above it follows from balance.
template <int D>
InteriorNodes<D> wanted_interior_nodes(const LeafForest<D>& forest,
                                       std::type_identity_t<std::span<const RefineFlag>>);

/// The parents of wanted blocks, of levels 1 to n_levels - 1: with them all families are whole.
template <int D>
InteriorNodes<D> parents_of(const Geometry<D>& geometry,
                            std::type_identity_t<std::span<const Key<D>>> wanted, int n_levels);

/// Name the blocks of level - 1 that must be split because those of a level are, sorted.
///
/// Around a split block there are leaves two levels finer than its parent, so its parent must be
/// split, and so must the parents of its neighbours, across what balance counts.
template <int D>
std::vector<Key<D>> supporting_interior_nodes(
    const LeafRules<D>& rules, std::type_identity_t<std::span<const Key<D>>> interior_nodes);

/// A round: send keys to the ranks in whose parts they begin; not those in one's own.
template <int D>
Outgoing<Key<D>> send_to_directory(const LeafForest<D>& forest,
                                   std::type_identity_t<std::span<const Key<D>>> keys);
/// The keys that begin here, from this rank's and from what others sent; sorted, each once.
template <int D>
std::vector<Key<D>> collect_in_directory(const LeafForest<D>& forest, std::vector<Key<D>> keys,
                                         const Messages<Key<D>>& arrived);

/// Last round of balance: tell the ranks in whose parts children begin that their parents are
/// split.
template <int D>
Outgoing<Key<D>> send_to_children(const LeafForest<D>& forest,
                                  const InteriorNodes<D>& interior_nodes);
/// The new leaves that begin in this rank's part, in order.
template <int D>
std::vector<Key<D>> collect_leaves(const LeafForest<D>& forest,
                                   const InteriorNodes<D>& interior_nodes,
                                   const Messages<Key<D>>& arrived);

/// Find the leaves of the coarsest balanced tree that has all wanted interior nodes. Collective.
///
/// These may come from any rank, more than once. The same leaves for any number of ranks; each is
/// where its first place was before.
/// @param wanted  as many levels on all ranks
/// @cost levels + 1 rounds, O(local leaves), times log n_ranks where there is no table
template <int D, Collectives R>
std::vector<Key<D>> balanced_leaves(const LeafForest<D>& forest, InteriorNodes<D> wanted,
                                    R& collectives) {
  const auto settle = [&](std::vector<Key<D>> keys) {
    const auto arrived =
        exchange_with_directory(forest, collectives, send_to_directory<D>(forest, keys));
    return collect_in_directory(forest, std::move(keys), arrived);
  };
  InteriorNodes<D> interior_nodes = std::move(wanted);
  for (std::size_t level = interior_nodes.levels.size(); level-- > 0;) {
    interior_nodes.levels[level] = settle(std::move(interior_nodes.levels[level]));
    if (level == 0) break;
    const auto support = supporting_interior_nodes(forest.rules, interior_nodes.levels[level]);
    auto& coarser = interior_nodes.levels[level - 1];
    coarser.insert(coarser.end(), support.begin(), support.end());
  }
  const auto arrived =
      exchange_with_directory(forest, collectives, send_to_children<D>(forest, interior_nodes));
  return collect_leaves(forest, interior_nodes, arrived);
}

/// Replace leaves by their children or parents, and find the balanced leaves. Collective.
///
/// The result is the coarsest balanced tree in which every leaf with `refine` is refined, and no
/// leaf is coarsened but in whole families with `coarsen`.
template <int D, Collectives R>
std::vector<Key<D>> balanced_leaves(const LeafForest<D>& forest,
                                    std::type_identity_t<std::span<const RefineFlag>> flags,
                                    R& collectives) {
  return balanced_leaves(forest, wanted_interior_nodes(forest, flags), collectives);
}

}  // namespace thalweg::mesh
