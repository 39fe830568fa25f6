// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::mesh {

/// The blocks of one level: this rank's, and which part of the curve each rank owns.
template <int D>
struct LevelSet {
  std::vector<Key<D>> keys;              ///< this rank's blocks, sorted
  std::vector<std::uint64_t> splitters;  ///< rank q owns codes in [splitters[q], splitters[q + 1])
  std::int64_t n_global = 0;             ///< blocks of the level on all ranks
  std::int64_t first_global = 0;         ///< blocks of the level on lower ranks

  bool operator==(const LevelSet&) const = default;

  /// Where a key stands among this rank's; none where another rank has it or nobody.
  std::optional<std::size_t> find(const Key<D>& key) const;
};

/// All blocks of all levels, as one rank knows them. @threads safe to read
///
/// Level 0 covers the domain; the last level has at least one block on some rank. Nested: where a
/// block of level l + 1 exists, so do its parent and all neighbours of its parent in the domain.
template <int D>
struct Forest {
  Geometry<D> geometry;
  Rank rank;
  int n_ranks = 1;
  std::uint64_t revision = 0;  ///< number of regrids since the start; plans carry it
  std::vector<LevelSet<D>> levels;

  bool operator==(const Forest&) const = default;

  int n_levels() const { return static_cast<int>(levels.size()); }
  const LevelSet<D>& level(int l) const;
  /// Which rank owns a part of the curve, whether or not a block exists there.
  /// @cost O(log n_ranks)
  Rank owner(const Key<D>& key) const;
  Rank owner(int level, std::uint64_t code) const { return owner(Key<D>{level, code}); }
  /// Whether this rank has the block.
  bool has(const Key<D>& key) const;
};

/// Number of blocks of a level that covers the whole domain.
/// @errors Error where it exceeds 2^62, as partitioning adds and doubles such numbers
template <int D>
std::int64_t count_blocks(const Geometry<D>& geometry, int level);

/// Make the forest of level 0 only, cut into chunks of equal numbers of blocks along the curve.
/// @errors Error where level 0 has more blocks than 2^62
template <int D>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks);

/// Whether this rank has the same blocks and owners in both forests; their revisions may differ.
///
/// A regrid changed nothing if this holds on all ranks.
template <int D>
bool has_same_blocks(const Forest<D>& a, const Forest<D>& b);

}  // namespace thalweg::mesh
