// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/rounds.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

/// What a leaf asks for.
enum class Wish : std::int8_t {
  coarsen = -1,  ///< to be replaced by its parent, if all its siblings are leaves and ask so too
  keep = 0,
  refine = 1,  ///< to be replaced by its children; not on the finest level allowed
};

/// Blocks that have children, level by level, each level sorted by key without repetitions.
///
/// They say what the leaves are: the children that have none themselves. A rank cares for those
/// that begin in its part of the curve.
template <int D>
struct Splits {
  std::vector<std::vector<Key<D>>> levels;

  bool operator==(const Splits&) const = default;
};

/// Name the blocks that stay or become split because this rank's leaves wish so.
///
/// For each leaf the finest such block; what is above it follows from balance.
template <int D>
Splits<D> wanted_splits(const LeafForest<D>& forest, std::type_identity_t<std::span<const Wish>>);

/// Name the blocks of level - 1 that must be split because those of a level are, sorted.
///
/// Around a split block there are leaves two levels finer than its parent, so its parent must be
/// split, and so must the parents of its neighbours, across what balance counts.
template <int D>
std::vector<Key<D>> supporting_splits(const LeafRules<D>& rules,
                                      std::type_identity_t<std::span<const Key<D>>> splits);

/// A round: send keys to the ranks in whose parts they begin; not those in one's own.
template <int D, class To = Rank>
Addressed<To, Key<D>> send_home(const LeafForest<D>& forest,
                                std::type_identity_t<std::span<const Key<D>>> keys);
/// The keys that begin here, from this rank's and from what others sent; sorted, each once.
template <int D>
std::vector<Key<D>> collect_home(const LeafForest<D>& forest, std::vector<Key<D>> keys,
                                 const Messages<Key<D>>& arrived);

/// Last round of balance: tell the ranks in whose parts children begin that their parents are
/// split.
template <int D, class To = Rank>
Addressed<To, Key<D>> send_to_children(const LeafForest<D>& forest, const Splits<D>& splits);
/// The new leaves that begin in this rank's part, in order.
template <int D>
std::vector<Key<D>> collect_leaves(const LeafForest<D>& forest, const Splits<D>& splits,
                                   const Messages<Key<D>>& arrived);

/// Replace leaves by their children or parents, and find the balanced leaves. Collective.
///
/// The result is the coarsest balanced tree in which every leaf that wished so is refined, and no
/// leaf is coarsened but in whole families that wished so. The same leaves for any number of ranks;
/// each is where its first place was before.
/// @cost finest level + 2 rounds, O(local leaves), times log n_ranks where there is no table
template <int D, Rounds R>
std::vector<Key<D>> balanced_leaves(const LeafForest<D>& forest,
                                    std::type_identity_t<std::span<const Wish>> wishes, R& rounds) {
  Splits<D> splits = wanted_splits(forest, wishes);
  const auto settle = [&](std::vector<Key<D>> keys) {
    const auto arrived =
        to_keepers(forest, rounds, [&]<class To>() { return send_home<D, To>(forest, keys); });
    return collect_home(forest, std::move(keys), arrived);
  };
  for (std::size_t level = splits.levels.size(); level-- > 0;) {
    splits.levels[level] = settle(std::move(splits.levels[level]));
    if (level == 0) break;
    const auto support = supporting_splits(forest.rules, splits.levels[level]);
    auto& coarser = splits.levels[level - 1];
    coarser.insert(coarser.end(), support.begin(), support.end());
  }
  const auto arrived = to_keepers(
      forest, rounds, [&]<class To>() { return send_to_children<D, To>(forest, splits); });
  return collect_leaves(forest, splits, arrived);
}

}  // namespace thalweg::mesh
