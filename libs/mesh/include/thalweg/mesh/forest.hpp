// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/owner_directory.hpp>

namespace thalweg::mesh {

/// A block and who owns it.
template <int D>
struct OwnedKey {
  Key<D> key;
  Rank owner;

  constexpr auto operator<=>(const OwnedKey&) const = default;
};

/// The blocks of one level: this rank's, and of which part of the curve each rank is the directory.
template <int D>
struct LevelSet {
  std::vector<Key<D>> keys;       ///< this rank's blocks, sorted
  OwnerDirectory directory;       ///< which rank is the directory of which codes
  std::int64_t n_global = 0;      ///< blocks of the level on all ranks
  std::int64_t first_global = 0;  ///< blocks of the level on lower ranks
  // Where blocks are assigned explicitly, or there is no table; else empty, as the splitters say
  // all.
  std::vector<std::int64_t> positions;     ///< of blocks assigned to this rank, along the curve
  std::vector<OwnedKey<D>> remote_owners;  ///< around this rank's blocks or their parents, sorted

  bool operator==(const LevelSet&) const = default;

  /// Where a key stands among this rank's; none where another rank has it or nobody.
  std::optional<std::size_t> find(const Key<D>& key) const;
  /// How many blocks of the level come before one of this rank's on the curve.
  std::int64_t position(std::size_t i) const {
    return positions.empty() ? first_global + static_cast<std::int64_t>(i) : positions[i];
  }
};

/// All blocks of all levels, as one rank knows them. @threads safe to read
///
/// Level 0 covers the domain; the last level has at least one block on some rank. Nested: where a
/// block of level l + 1 exists, so do its parent and all neighbours of its parent in the domain.
///
/// The *directory rank* of a place is the rank that must know whether a block is there. It owns the
/// block, unless blocks are assigned explicitly, one by one (explicit_assignment.hpp): then it
/// knows who does.
template <int D>
struct Forest {
  Geometry<D> geometry;
  Rank rank;
  int n_ranks = 1;
  std::uint64_t revision = 0;        ///< number of regrids since the start; as NeighbourInfo has
  bool has_explicit_owners = false;  ///< owners are any ranks, not the directory ranks
  std::vector<LevelSet<D>> levels;

  bool operator==(const Forest&) const = default;

  int n_levels() const { return static_cast<int>(levels.size()); }
  const LevelSet<D>& level(int l) const;
  /// The part of a level whose directory this rank is.
  CurveRange curve_range(int l) const { return level(l).directory.range(); }
  bool is_directory_of(const Key<D>& key) const {
    return curve_range(key.level).contains(key.code);
  }
  /// The directory rank of a place, whether or not a block exists there. @pre there is a table;
  /// without, messages find it (route.hpp)  @cost O(log n_ranks)
  Rank directory_rank(const Key<D>& key) const {
    return level(key.level).directory.rank_of(key.code);
  }
  /// Whether ranks look up directory ranks; else messages find them.
  bool has_table() const { return levels.front().directory.has_table(); }
  Directory directory() const { return has_table() ? Directory::table : Directory::routed; }
  /// Whether this rank knows owners from a list of those around: remote_owners.hpp.
  bool lists_owners() const { return has_explicit_owners || !has_table(); }
  /// Which rank owns a block. @pre where owners are listed, it is this rank's, or around one of
  /// this rank's or around the parent of one  @cost O(log n_ranks), or O(log local blocks)
  Rank owner(const Key<D>& key) const;
  Rank owner(int level, std::uint64_t code) const { return owner(Key<D>{level, code}); }
  /// Whether this rank owns a block, of any there is.
  bool owns(const Key<D>& key) const;
  /// Whether this rank has the block.
  bool has(const Key<D>& key) const;
};

/// Number of blocks of a level that covers the whole domain.
/// @errors Error where it exceeds 2^62, as partitioning adds and doubles such numbers
template <int D>
std::int64_t count_blocks(const Geometry<D>& geometry, int level);

/// The directory rank of a place, or the place where that is to be found on the way.
template <int D>
Destination to_directory(const Forest<D>& forest, const Key<D>& place) {
  return forest.level(place.level).directory.destination_of(place.code, place);
}

/// The splitters of a forest of level 0 only, cut into chunks of equal numbers of blocks.
/// @param to  for one rank less
template <int D>
void write_initial_splitters(const Geometry<D>& geometry, std::span<std::uint64_t> to);

/// Make the forest of level 0 only, cut into chunks of equal numbers of blocks along the curve.
/// @param splitters  as written above; none: the rank makes its own
/// @errors Error where level 0 has more blocks than 2^62, or more ranks than there is a table for
template <int D>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks,
                         NodeSharedArray<std::uint64_t> splitters = {});

/// The same without a table, and without the owners of remote neighbours.
template <int D>
Forest<D> initial_routed_forest(const Geometry<D>& geometry, Rank rank, int n_ranks);

/// Whether this rank has the same blocks and owners in both forests; their revisions may differ.
///
/// A regrid changed nothing if this holds on all ranks.
template <int D>
bool has_same_blocks(const Forest<D>& a, const Forest<D>& b);

}  // namespace thalweg::mesh
