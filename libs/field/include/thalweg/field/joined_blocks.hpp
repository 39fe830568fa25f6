// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::field {

/// On which levels blocks are joined.
enum class JoinLevels : std::uint8_t {
  none,
  finest,  ///< where no block lies under finer ones
  all,
};

/// How many blocks are joined in so many dimensions: those that make up a box twice as wide as a
/// block.
constexpr std::size_t n_joined_in(int dimensions) {
  return std::size_t{1} << dimensions;
}
template <int D>
inline constexpr std::size_t n_joined = n_joined_in(D);

/// Which blocks are joined.
///
/// Joined blocks lie in one array and are advanced as one: there are no ghost cells between them,
/// none to fill, and none whose states are found twice. How blocks are refined, balanced and
/// written does not change, nor does any cell.
struct JoinRule {
  JoinLevels levels = JoinLevels::none;
  std::size_t least_arrays = 1;  ///< of a level on this rank, where any blocks are joined

  /// Cells of joined blocks, at most: 32^3. Larger arrays leave the cache, and gain little.
  static constexpr std::int64_t most_cells = std::int64_t{1} << 15;

  /// Whether blocks of so many cells are ever joined.
  template <int D>
  bool allows(const mesh::BlockCells<D>& block_cells) const {
    return levels != JoinLevels::none &&
           Box<D>{{}, block_cells}.n_cells() * std::int64_t{n_joined<D>} <= most_cells;
  }
};

/// The cells of a block's array: its own, or those of the blocks that are joined to it.
/// @param first  the first of these
template <int D>
Box<D> joined_cells(const mesh::Geometry<D>& geometry, const mesh::Key<D>& first) {
  Box<D> cells = geometry.cells(first);
  for (int a = 0; a < D; ++a) cells.hi[a] += cells.extent(a);
  return cells;
}

/// The positions of the blocks that come first of those that are joined, among the sorted blocks
/// that a rank has of a level: all are there and follow each other.
template <int D>
std::vector<std::size_t> find_joined(std::span<const mesh::Key<D>> keys, bool is_finest,
                                     const mesh::BlockCells<D>& block_cells, const JoinRule& rule) {
  std::vector<std::size_t> first;
  if (!rule.allows<D>(block_cells) || (rule.levels == JoinLevels::finest && !is_finest))
    return first;
  first.reserve(keys.size() / n_joined<D>);
  const std::size_t last = n_joined<D> - 1;
  for (std::size_t i = 0; i + last < keys.size(); ++i) {
    if (keys[i].code % n_joined<D> != 0 || keys[i + last].code != keys[i].code + last) continue;
    first.push_back(i);
    i += last;
  }
  const std::size_t n_arrays = keys.size() - first.size() * last;
  if (n_arrays < rule.least_arrays) first.clear();
  return first;
}

}  // namespace thalweg::field
