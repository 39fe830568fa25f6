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
KeySets<D> leaves_and_interior_nodes(const LeafForest<D>& leaves) {
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

namespace {

// Where parts of a level begin, from where parts of the curve do. A block in which a rank's part
// begins, but not at its beginning, is a lower rank's.
template <int D>
void write_on_level(const LeafForest<D>& leaves, int level, std::span<const std::uint64_t> on_curve,
                    std::span<std::uint64_t> to) {
  const std::uint64_t length = curve_length(leaves.geometry(), level);
  const std::uint64_t end = leaves.geometry().code_end(level);
  std::ranges::transform(on_curve, to.begin(), [&](std::uint64_t position) {
    return std::min(position / length + (position % length != 0 ? 1 : 0), end);
  });
}

}  // namespace

template <int D>
void write_level_splitters(const LeafForest<D>& leaves, std::span<std::uint64_t> to) {
  const std::span on_curve(leaves.splitters.data(), leaves.splitters.size());
  const std::size_t n = on_curve.size();
  THALWEG_EXPECT(to.size() == n * (static_cast<std::size_t>(leaves.finest) + 1),
                 "a table of splitters for each level");
  for (int level = 0; level <= leaves.finest; ++level)
    write_on_level(leaves, level, on_curve, to.subspan(n * static_cast<std::size_t>(level), n));
}

template <int D>
Forest<D> collect_nested(const LeafForest<D>& leaves, KeySets<D> blocks,
                         const Scanned<BlockCount>& counts,
                         const NodeSharedArray<std::uint64_t>& splitters) {
  Forest<D> forest{.geometry = leaves.geometry(),
                   .rank = leaves.rank,
                   .n_ranks = leaves.n_ranks,
                   .directory = leaves.directory,
                   .revision = leaves.revision,
                   .levels = {}};
  const std::size_t n = leaves.splitters.size();
  for (std::size_t l = 0; l < blocks.levels.size(); ++l) {
    LevelSet<D> set;
    set.keys = std::move(blocks.levels[l]);
    set.n_global = counts.all[l].n;
    set.first_global = counts.before[l].n;
    if (leaves.directory == Directory::table) {
      set.splitters = splitters.part(l * n, n);
    } else {
      set.routing_table.resize(leaves.routing_table.size());
      write_on_level<D>(leaves, static_cast<int>(l), leaves.routing_table, set.routing_table);
    }
    forest.levels.push_back(std::move(set));
  }
  return forest;
}

template void check_can_nest(const LeafRules<1>&);
template void check_can_nest(const LeafRules<2>&);
template void check_can_nest(const LeafRules<3>&);
template KeySets<1> leaves_and_interior_nodes(const LeafForest<1>&);
template KeySets<2> leaves_and_interior_nodes(const LeafForest<2>&);
template KeySets<3> leaves_and_interior_nodes(const LeafForest<3>&);
template void write_level_splitters(const LeafForest<1>&, std::span<std::uint64_t>);
template void write_level_splitters(const LeafForest<2>&, std::span<std::uint64_t>);
template void write_level_splitters(const LeafForest<3>&, std::span<std::uint64_t>);
template Forest<1> collect_nested(const LeafForest<1>&, KeySets<1>, const Scanned<BlockCount>&,
                                  const NodeSharedArray<std::uint64_t>&);
template Forest<2> collect_nested(const LeafForest<2>&, KeySets<2>, const Scanned<BlockCount>&,
                                  const NodeSharedArray<std::uint64_t>&);
template Forest<3> collect_nested(const LeafForest<3>&, KeySets<3>, const Scanned<BlockCount>&,
                                  const NodeSharedArray<std::uint64_t>&);

}  // namespace thalweg::mesh
