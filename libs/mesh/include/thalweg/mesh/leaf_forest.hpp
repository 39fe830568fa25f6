// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/curve.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/owner_directory.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

/// Across what two blocks touch; each includes those before it.
///
/// In two dimensions what touches across an edge touches in a corner, in one all is a face.
enum class Adjacency : std::uint8_t { faces = 1, edges = 2, corners = 3 };

/// Whether an offset in {-1, 0, 1}^D leads across a face, an edge or a corner that counts.
template <int D>
constexpr bool reaches(Adjacency adjacency, const Index<D>& offset) {
  int n_axes = 0;
  for (int a = 0; a < D; ++a) n_axes += offset[a] != 0 ? 1 : 0;
  return n_axes > 0 && n_axes <= static_cast<int>(adjacency);
}

/// What stays the same in a forest of leaves when it adapts.
template <int D>
struct LeafRules {
  Geometry<D> geometry;
  Adjacency balance = Adjacency::corners;  ///< leaves that touch so differ by one level at most
  Curve curve = Curve::morton;             ///< the order of leaves, and of ranks

  bool operator==(const LeafRules&) const = default;

  std::uint64_t position(const Key<D>& key) const { return curve_position(geometry, curve, key); }
  std::uint64_t end(const Key<D>& key) const {
    return position(key) + curve_length(geometry, key.level);
  }
};

/// The leaves of a tree of blocks, as one rank knows them: together they cover the domain once.
///
/// Complete: a block is a leaf or all its children exist. Balanced as the rules say.
/// @threads safe to read
template <int D>
struct LeafForest {
  LeafRules<D> rules;
  Rank rank;
  int n_ranks = 1;
  std::uint64_t revision = 0;    ///< number of adaptations since the start; plans carry it
  int finest = 0;                ///< finest level that any rank has
  std::vector<Key<D>> leaves{};  ///< this rank's, in the curve's order
  /// Which rank has the leaves that begin in which part of the curve. A part that is not empty
  /// begins with its first leaf, so that it is made of whole leaves.
  OwnerDirectory directory{};
  std::int64_t n_global = 0;      ///< leaves of all ranks
  std::int64_t first_global = 0;  ///< leaves of lower ranks

  bool operator==(const LeafForest&) const = default;

  const Geometry<D>& geometry() const { return rules.geometry; }
  /// This rank's part of the curve.
  CurveRange curve_range() const { return directory.range(); }
  /// Who has the leaf that covers a place on the curve. @pre there is a table, or this rank has it
  /// @cost O(log n_ranks), O(1) for one's own
  Rank owner(std::uint64_t position) const { return directory.rank_of(position); }
  /// Who has the leaf in which a block begins, whatever its size.
  Rank owner(const Key<D>& key) const { return owner(rules.position(key)); }
  bool has_table() const { return directory.has_table(); }
  /// Whether this rank is the owner.
  bool is_here(std::uint64_t position) const { return curve_range().contains(position); }
  /// Where a key stands among this rank's leaves, if it does.
  std::optional<std::size_t> find(const Key<D>& key) const;
};

/// What a rank holds of a set of leaves.
struct LeafLoad {
  std::int64_t n_leaves = 0;
  std::int64_t weight = 0;
  std::uint64_t first_position = 0;  ///< where the first leaf begins, if there is one
  std::int32_t finest = 0;
};

/// The owner of the leaf in which a place begins, or the place, where the owner is to be found on
/// the way (route.hpp).
template <int D>
Destination to_directory(const LeafForest<D>& forest, const Key<D>& place) {
  return forest.directory.destination_of(forest.rules.position(place), place);
}

/// What several ranks hold of a set of leaves together.
struct LeafSum {
  std::int64_t n_leaves = 0;
  std::int64_t weight = 0;       ///< more than 2^62: that and more
  std::int64_t most_weight = 0;  ///< of one rank
  std::int32_t finest = 0;
};

constexpr LeafSum combined(const LeafSum& a, const LeafSum& b) {
  return {a.n_leaves + b.n_leaves, saturated_sum(a.weight, b.weight),
          std::max(a.most_weight, b.most_weight), std::max(a.finest, b.finest)};
}

/// The splitters of initial_leaves. @param to  for one more than there are ranks
template <int D>
void write_initial_splitters(const LeafRules<D>& rules, int level, std::span<std::uint64_t> to);
/// Make the forest of all blocks of a level, cut into parts of equal numbers along the curve.
/// @param splitters  of the table, as written above; none: the rank makes its own
/// @errors Error where the level has more blocks than 2^62, or where a table is to be made and
///         there are more ranks than max_table_ranks
template <int D>
LeafForest<D> initial_leaves(const LeafRules<D>& rules, int level, Rank rank, int n_ranks,
                             Directory directory, NodeSharedArray<std::uint64_t> splitters = {});
/// As above, with a table where there is one for so many ranks.
template <int D>
LeafForest<D> initial_leaves(const LeafRules<D>& rules, int level, Rank rank, int n_ranks) {
  return initial_leaves(rules, level, rank, n_ranks, directory_for(n_ranks));
}

/// Describe leaves in order. @pre as many weights as leaves
template <int D>
LeafLoad leaf_load_of(const LeafRules<D>& rules, std::span<const Key<D>> leaves,
                      std::span<const std::int64_t> weights);

/// The splitters of a forest, from what all ranks hold. @param to  for one more than there are
template <int D>
void write_splitters(const LeafRules<D>& rules, std::span<const LeafLoad> rank_loads,
                     std::span<std::uint64_t> to);
/// The next revision of a forest, from this rank's leaves in order and what all ranks hold.
/// @param splitters  as written above; none: the rank makes its own
template <int D>
LeafForest<D> next_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                          std::span<const LeafLoad> rank_loads,
                          NodeSharedArray<std::uint64_t> splitters = {});
/// The same without a table, and without a routing table, from sums over lower ranks and over all.
template <int D>
LeafForest<D> next_routed_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                                 const LeafSum& before, const LeafSum& all);

}  // namespace thalweg::mesh
