// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_nested.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
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
  const auto& splitters = leaves.directory.splitters();
  const std::span on_curve(splitters.data(), splitters.size());
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
                   .revision = leaves.revision,
                   .levels = {}};
  const std::size_t n = leaves.directory.splitters().size();
  for (std::size_t l = 0; l < blocks.levels.size(); ++l) {
    LevelSet<D> set;
    set.keys = std::move(blocks.levels[l]);
    set.n_global = counts.all[l].n;
    set.first_global = counts.before[l].n;
    if (leaves.has_table()) {
      set.directory = {leaves.rank, splitters.part(l * n, n)};
    } else {
      const int level = static_cast<int>(l);
      std::vector<std::uint64_t> on_level(leaves.directory.routing_table().size());
      write_on_level<D>(leaves, level, leaves.directory.routing_table(), on_level);
      set.directory = {leaves.rank, leaves.n_ranks, std::move(on_level),
                       leaves.geometry().code_end(level)};
    }
    forest.levels.push_back(std::move(set));
  }
  return forest;
}

template <int D>
bool is_leaf(const Forest<D>& nested, const Key<D>& key) {
  return key.level + 1 >= nested.n_levels() ||
         !nested.has(child(key, 0, nested.geometry.ratio(key.level)));
}

template <int D>
Messages<Key<D>> send_leaves(const Forest<D>& nested) {
  Messages<Key<D>> out;
  for (const LevelSet<D>& set : nested.levels)
    for (const Key<D>& key : set.keys)
      if (is_leaf(nested, key)) out.emplace_back(nested.directory_rank(key), key);
  return out;
}

template <int D>
std::vector<Key<D>> collect_leaves(const Forest<D>& nested, const Messages<Key<D>>& arrived) {
  std::vector<Key<D>> leaves;
  for (const auto& [from, key] : arrived) leaves.push_back(key);
  if (!nested.has_explicit_owners)
    for (const LevelSet<D>& set : nested.levels)
      std::ranges::copy_if(set.keys, std::back_inserter(leaves),
                           [&](const Key<D>& key) { return is_leaf(nested, key); });
  std::ranges::sort(leaves, {}, [&](const Key<D>& key) {
    return curve_position(nested.geometry, Curve::morton, key);
  });
  return leaves;
}

namespace {

// Where parts of the curve begin, from where those of the finest level do.
template <int D>
void write_on_curve(const Forest<D>& nested, std::span<const std::uint64_t> on_level,
                    std::span<std::uint64_t> to) {
  const int finest = nested.n_levels() - 1;
  const std::uint64_t length = curve_length(nested.geometry, finest);
  const std::uint64_t end = nested.geometry.code_end(finest);
  std::ranges::transform(on_level, to.begin(), [&](std::uint64_t code) {
    return code == end ? curve_end(nested.geometry) : code * length;
  });
}

}  // namespace

template <int D>
void write_curve_splitters(const Forest<D>& nested, std::span<std::uint64_t> to) {
  const auto& splitters = nested.levels.back().directory.splitters();
  write_on_curve<D>(nested, {splitters.data(), splitters.size()}, to);
}

template <int D>
LeafForest<D> collect_leaf_forest(const Forest<D>& nested, std::vector<Key<D>> leaves,
                                  const Scanned<BlockCount>& count,
                                  NodeSharedArray<std::uint64_t> splitters) {
  LeafForest<D> forest{.rules = {nested.geometry},
                       .rank = nested.rank,
                       .n_ranks = nested.n_ranks,
                       .revision = nested.revision,
                       .finest = nested.n_levels() - 1,
                       .leaves = std::move(leaves),
                       .n_global = count.all[0].n,
                       .first_global = count.before[0].n};
  if (nested.has_table()) {
    forest.directory = {nested.rank, std::move(splitters)};
  } else {
    const auto& on_level = nested.levels.back().directory.routing_table();
    std::vector<std::uint64_t> on_curve(on_level.size());
    write_on_curve<D>(nested, on_level, on_curve);
    forest.directory = {nested.rank, nested.n_ranks, std::move(on_curve),
                        curve_end(nested.geometry)};
  }
  return forest;
}

#define THALWEG_INSTANTIATE(D)                                                                    \
  template void check_can_nest(const LeafRules<D>&);                                              \
  template KeySets<D> leaves_and_interior_nodes(const LeafForest<D>&);                            \
  template void write_level_splitters(const LeafForest<D>&, std::span<std::uint64_t>);            \
  template Forest<D> collect_nested(const LeafForest<D>&, KeySets<D>, const Scanned<BlockCount>&, \
                                    const NodeSharedArray<std::uint64_t>&);                       \
  template bool is_leaf(const Forest<D>&, const Key<D>&);                                         \
  template Messages<Key<D>> send_leaves(const Forest<D>&);                                        \
  template std::vector<Key<D>> collect_leaves(const Forest<D>&, const Messages<Key<D>>&);         \
  template void write_curve_splitters(const Forest<D>&, std::span<std::uint64_t>);                \
  template LeafForest<D> collect_leaf_forest(const Forest<D>&, std::vector<Key<D>>,               \
                                             const Scanned<BlockCount>&,                          \
                                             NodeSharedArray<std::uint64_t>)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
