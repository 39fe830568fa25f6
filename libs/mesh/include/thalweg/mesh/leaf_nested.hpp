// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/remote_owners.hpp>
#include <thalweg/mesh/scan.hpp>

namespace thalweg::mesh {

// Under leaves lie the blocks that were split to make them. Where leaves are balanced across
// corners, leaves and splits together are a nested forest: what touches the children of a split
// block is one level coarser at most, so all its neighbours exist. And so plans for nested forests
// serve leaves, too: splits hold what restriction gives them (docs/adr/0011-forests.md).

/// Check that leaves and interior nodes are nested.
/// @errors Error where balance counts less than corners, or along another curve than Morton's
template <int D>
void check_can_nest(const LeafRules<D>& rules);

/// This rank's leaves, and the interior nodes that begin in its part of the curve. @cost O(local
/// leaves)
template <int D>
KeySets<D> leaves_and_interior_nodes(const LeafForest<D>& leaves);

/// The splitters of all levels, those of all ranks for level 0, then for level 1 and so on.
///
/// A rank is the directory of what begins in its part of the curve, on each level.
/// @param to  for one more rank than there is a level, from 0 to the finest
template <int D>
void write_level_splitters(const LeafForest<D>& leaves, std::span<std::uint64_t> to);

/// Blocks of a level.
struct BlockCount {
  std::int64_t n = 0;
};

constexpr BlockCount combined(const BlockCount& a, const BlockCount& b) {
  return {a.n + b.n};
}

/// The nested forest, from what leaves_and_interior_nodes gave on this rank.
/// @param counts     by level, of such blocks
/// @param splitters  as written above; none where the leaves have no table
template <int D>
Forest<D> collect_nested(const LeafForest<D>& leaves, KeySets<D> blocks,
                         const Scanned<BlockCount>& counts,
                         const NodeSharedArray<std::uint64_t>& splitters);

/// A forest of leaves as a nested one that has their interior nodes, too. Collective.
///
/// Of the same revision and directory as the leaves; each leaf has the owner that it had, each
/// interior node that of its first leaf. leaves.find(key) says whether a block of this rank is a
/// leaf.
/// @errors as check_can_nest
/// @cost log n_ranks rounds, two more without a table; O(local leaves), and on one rank a compute
/// node n_ranks n_levels with one
template <int D, Collectives R>
Forest<D> nested_of(const LeafForest<D>& leaves, R&& collectives) {
  check_can_nest(leaves.rules);
  KeySets<D> blocks = leaves_and_interior_nodes(leaves);
  std::vector<BlockCount> mine;
  for (const auto& keys : blocks.levels) mine.push_back({std::ssize(keys)});
  const auto counts = scan_all_reduce(mine, leaves.rank, leaves.n_ranks, collectives);
  if (!leaves.has_table())
    return find_remote_owners(collect_nested(leaves, std::move(blocks), counts, {}), collectives);
  const std::size_t n_splitters = mine.size() * (static_cast<std::size_t>(leaves.n_ranks) + 1);
  const auto splitters = collectives.write_node_shared(
      n_splitters, [&](std::span<std::uint64_t> to) { write_level_splitters<D>(leaves, to); });
  return collect_nested(leaves, std::move(blocks), counts, splitters);
}

// The other way: of a nested forest whose families are whole, with a block and its first child on
// one rank, the blocks without a first child there are the leaves.

/// Whether a block of this rank is a leaf.
template <int D>
bool is_leaf(const Forest<D>& nested, const Key<D>& key);

/// Where blocks are assigned explicitly, a round: this rank's leaves, to their directory ranks.
template <int D>
Messages<Key<D>> send_leaves(const Forest<D>& nested);
/// The leaves whose directory this rank is, in the curve's order: its own, or those that arrived.
template <int D>
std::vector<Key<D>> collect_leaves(const Forest<D>& nested, const Messages<Key<D>>& arrived);
/// The parts of the curve, from those of the finest level. @param to for one more than there are
/// ranks
template <int D>
void write_curve_splitters(const Forest<D>& nested, std::span<std::uint64_t> to);
/// @param splitters  as written above; none where there is no table
template <int D>
LeafForest<D> collect_leaf_forest(const Forest<D>& nested, std::vector<Key<D>> leaves,
                                  const Scanned<BlockCount>& count,
                                  NodeSharedArray<std::uint64_t> splitters);

/// The leaves of a nested forest as a forest of their own: nested_of's inverse. Collective.
///
/// What is a rank's here are the leaves whose directory it is, whoever owns them.
/// @cost  log n_ranks rounds, one more where blocks are assigned explicitly
template <int D, Collectives R>
LeafForest<D> leaves_of(const Forest<D>& nested, R&& collectives) {
  auto leaves = collect_leaves<D>(nested, nested.has_explicit_owners
                                              ? collectives.exchange(send_leaves(nested))
                                              : Messages<Key<D>>{});
  const auto count = scan_all_reduce(std::vector<BlockCount>{{std::ssize(leaves)}}, nested.rank,
                                     nested.n_ranks, collectives);
  NodeSharedArray<std::uint64_t> splitters;
  if (nested.has_table())
    splitters = collectives.write_node_shared(
        static_cast<std::size_t>(nested.n_ranks) + 1,
        [&](std::span<std::uint64_t> to) { write_curve_splitters(nested, to); });
  return collect_leaf_forest(nested, std::move(leaves), count, std::move(splitters));
}

}  // namespace thalweg::mesh
