// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <compare>
#include <concepts>
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

namespace thalweg::mesh {

/// How a rank finds the directory rank of a place. Blocks and owners do not depend on it.
enum class Directory : std::uint8_t {
  table,   ///< a compute node holds where each rank's part of a level begins
           ///< (docs/adr/0012-ownership-directory.md)
  routed,  ///< ranks 1, 2, 4, ... further on are known, and pass messages on
           ///< (docs/adr/0012-ownership-directory.md)
};

/// Most ranks that there is a table for: a compute node holds 8 bytes a rank and level, and 40
/// while they are made.
inline constexpr int max_table_ranks = 100'000;

/// What a run on so many ranks takes unless told otherwise.
constexpr Directory directory_for(int n_ranks) {
  return n_ranks <= max_table_ranks ? Directory::table : Directory::routed;
}

/// Entries of a rank's routing table, where there is no table of all: where its own part begins,
/// and those of the ranks 1, 2, 4, ... above. @source the finger table of Stoica et al., "Chord",
/// SIGCOMM 2001, section 4.3
constexpr std::size_t routing_table_size(int n_ranks) {
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(n_ranks - 1))) + 1;
}

/// @errors Error where there are more ranks than there is a table for
void check_n_ranks(int n_ranks);

/// A block and who owns it.
template <int D>
struct OwnedKey {
  Key<D> key;
  Rank owner;

  constexpr auto operator<=>(const OwnedKey&) const = default;
};

/// A range of the curve, by code: the places of a level whose directory rank a rank is.
struct CurveRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool contains(std::uint64_t code) const { return code >= begin && code < end; }
};

/// The blocks of one level: this rank's, and of which part of the curve each rank is the directory.
template <int D>
struct LevelSet {
  std::vector<Key<D>> keys;  ///< this rank's blocks, sorted
  /// Rank q is the directory of codes in [splitters[q], splitters[q + 1]). A compute node holds
  /// them once (collectives.hpp).
  NodeSharedArray<std::uint64_t> splitters;
  /// Where there is no table, a routing table: this rank's splitter, then those of the ranks 1, 2,
  /// 4, ... above, modulo n_ranks, below n_ranks.
  std::vector<std::uint64_t> routing_table;
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
  Directory directory = Directory::table;
  std::uint64_t revision = 0;        ///< number of regrids since the start; plans carry it
  bool has_explicit_owners = false;  ///< owners are any ranks, not the directory ranks
  std::vector<LevelSet<D>> levels;

  bool operator==(const Forest&) const = default;

  int n_levels() const { return static_cast<int>(levels.size()); }
  const LevelSet<D>& level(int l) const;
  /// The part of a level whose directory this rank is.
  CurveRange curve_range(int level) const;
  bool is_directory_of(const Key<D>& key) const {
    return curve_range(key.level).contains(key.code);
  }
  /// The directory rank of a place, whether or not a block exists there. @pre there is a table;
  /// without, messages find it (route.hpp)  @cost O(log n_ranks)
  Rank directory_rank(const Key<D>& key) const;
  /// Whether this rank knows owners from a list of those around: remote_owners.hpp.
  bool lists_owners() const { return has_explicit_owners || directory == Directory::routed; }
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

/// The directory rank of a place, or the place where that is to be found on the way: To is Rank or
/// Destination.
template <class To, int D>
To to_directory(const Forest<D>& forest, const Key<D>& place) {
  if constexpr (std::same_as<To, Rank>)
    return forest.directory_rank(place);
  else
    return forest.is_directory_of(place) ? Destination(forest.rank) : Destination(place);
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
