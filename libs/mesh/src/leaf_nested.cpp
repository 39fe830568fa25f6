// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_nested.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/curve.hpp>

namespace thalweg::mesh {

template <int D>
void check_can_nest(const LeafRules<D>& rules) {
  if (static_cast<int>(rules.balance) < D)
    throw Error(
        fmt::format("leaves in {} dimensions that are balanced across {} only, as a nested forest "
                    "(where leaves "
                    "two levels apart touch in a corner, there is nothing between to interpolate "
                    "from); balance "
                    "them by Adjacency::corners",
                    D, rules.balance == Adjacency::faces ? "faces" : "faces and edges"));
  if (rules.curve != Curve::morton)
    throw Error(
        "leaves along Hilbert's curve as a nested forest (ranks find the owners of its blocks in "
        "parts of Morton's curve); order them by Curve::morton");
}

template <int D>
KeySets<D> leaves_and_splits(const LeafForest<D>& leaves) {
  KeySets<D> blocks;
  blocks.levels.resize(static_cast<std::size_t>(leaves.finest) + 1);
  // Leaves follow the curve, so the blocks that begin where they do come sorted, each once.
  for (const Key<D>& leaf : leaves.leaves) {
    const std::uint64_t begin = leaves.rules.position(leaf);
    for (int level = leaf.level; level >= 0; --level) {
      const Key<D> key = leaves.geometry().ancestor(leaf, level);
      if (leaves.rules.position(key) != begin) break;
      blocks.levels[static_cast<std::size_t>(level)].push_back(key);
    }
  }
  return blocks;
}

template <int D>
void write_level_splitters(const LeafForest<D>& leaves, std::span<std::uint64_t> to) {
  const std::size_t n = leaves.splitters.size();
  THALWEG_EXPECT(to.size() == n * (static_cast<std::size_t>(leaves.finest) + 1),
                 "a table of splitters for each level");
  for (int level = 0; level <= leaves.finest; ++level) {
    const auto of_level = to.subspan(n * static_cast<std::size_t>(level), n);
    const std::uint64_t length = curve_length(leaves.geometry(), level);
    const std::uint64_t end = leaves.geometry().code_end(level);
    // A block in which a rank's part begins, but not at its beginning, is a lower rank's.
    std::ranges::transform(leaves.splitters, of_level.begin(), [&](std::uint64_t position) {
      return std::min(position / length + (position % length != 0 ? 1 : 0), end);
    });
  }
}

template <int D>
Forest<D> collect_nested(const LeafForest<D>& leaves, KeySets<D> blocks,
                         std::span<const std::int64_t> n_blocks,
                         const SharedList<std::uint64_t>& splitters) {
  const std::size_t n_levels = blocks.levels.size();
  const auto n_ranks = static_cast<std::size_t>(leaves.n_ranks);
  THALWEG_EXPECT(n_blocks.size() == n_ranks * n_levels, "counts of some ranks are missing");
  Forest<D> forest{.geometry = leaves.geometry(),
                   .rank = leaves.rank,
                   .n_ranks = leaves.n_ranks,
                   .revision = leaves.revision,
                   .levels = {}};
  for (std::size_t l = 0; l < n_levels; ++l) {
    LevelSet<D> set;
    set.keys = std::move(blocks.levels[l]);
    set.splitters = splitters.part(l * (n_ranks + 1), n_ranks + 1);
    for (std::size_t q = 0; q < n_ranks; ++q) {
      set.n_global += n_blocks[q * n_levels + l];
      if (q < leaves.rank()) set.first_global += n_blocks[q * n_levels + l];
    }
    forest.levels.push_back(std::move(set));
  }
  return forest;
}

template void check_can_nest(const LeafRules<1>&);
template void check_can_nest(const LeafRules<2>&);
template void check_can_nest(const LeafRules<3>&);
template KeySets<1> leaves_and_splits(const LeafForest<1>&);
template KeySets<2> leaves_and_splits(const LeafForest<2>&);
template KeySets<3> leaves_and_splits(const LeafForest<3>&);
template void write_level_splitters(const LeafForest<1>&, std::span<std::uint64_t>);
template void write_level_splitters(const LeafForest<2>&, std::span<std::uint64_t>);
template void write_level_splitters(const LeafForest<3>&, std::span<std::uint64_t>);
template Forest<1> collect_nested(const LeafForest<1>&, KeySets<1>, std::span<const std::int64_t>,
                                  const SharedList<std::uint64_t>&);
template Forest<2> collect_nested(const LeafForest<2>&, KeySets<2>, std::span<const std::int64_t>,
                                  const SharedList<std::uint64_t>&);
template Forest<3> collect_nested(const LeafForest<3>&, KeySets<3>, std::span<const std::int64_t>,
                                  const SharedList<std::uint64_t>&);

}  // namespace thalweg::mesh
