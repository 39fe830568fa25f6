// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
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

/// How many blocks are joined in so many dimensions at most: those that make up a box twice as wide
/// as a block.
constexpr std::size_t n_joined_in(int dimensions) {
  return std::size_t{1} << dimensions;
}
template <int D>
inline constexpr std::size_t n_joined = n_joined_in(D);

/// Which one of the pools of arrays, LevelField::array_pools, is that of so many blocks: 1, 2,
/// 4, 8.
constexpr std::size_t pool_number(std::size_t n_blocks) {
  return static_cast<std::size_t>(std::countr_zero(n_blocks));
}

/// Blocks of a level that follow each other and lie in one array.
struct JoinedBlocks {
  std::size_t first;  ///< position of the first one among the rank's blocks of the level
  std::size_t n;      ///< 2, 4 or 8

  bool operator==(const JoinedBlocks&) const = default;
};

/// Call f(position of the first block, number of blocks, what is joined there, or null) for all
/// arrays of a level, in order.
/// @param joined  anything with members `first` and `n` as JoinedBlocks, in order
template <class Joined, class F>
void for_each_array(std::size_t n_blocks, std::span<const Joined> joined, F&& f) {
  auto next = joined.begin();
  for (std::size_t i = 0; i < n_blocks;) {
    const Joined* here = next != joined.end() && next->first == i ? &*next++ : nullptr;
    const std::size_t n = here != nullptr ? here->n : 1;
    f(i, n, here);
    i += n;
  }
}

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

  /// How many blocks of so many cells are ever joined; 1: none.
  template <int D>
  std::size_t most_joined(const mesh::BlockCells<D>& block_cells) const {
    if (levels == JoinLevels::none) return 1;
    std::size_t n = n_joined<D>;
    while (n > 1 && static_cast<std::int64_t>(n) * Box<D>{{}, block_cells}.n_cells() > most_cells)
      n /= 2;
    return n;
  }
};

/// The cells of an array of n blocks that begins with those of a block: twice as many along x where
/// there are two, along x and y where there are four, along all axes where there are eight.
template <int D>
Box<D> joined_cells(const Box<D>& first, std::size_t n) {
  Box<D> cells = first;
  for (int a = 0; n > 1; ++a, n /= 2) cells.hi[a] += first.extent(a);
  return cells;
}

namespace detail {

/// As find_joined, with so many in an array at most, and however few arrays there are.
template <int D>
std::vector<JoinedBlocks> joined_up_to(std::size_t most, std::span<const mesh::Key<D>> keys) {
  std::vector<JoinedBlocks> joined;
  joined.reserve(keys.size() / 2);
  for (std::size_t i = 0; i < keys.size();) {
    const auto is_whole = [&](std::size_t n) {
      return keys[i].code % n == 0 && i + n <= keys.size() &&
             keys[i + n - 1].code == keys[i].code + n - 1;
    };
    std::size_t n = most;
    while (!is_whole(n)) n /= 2;
    if (n > 1) joined.push_back({i, n});
    i += n;
  }
  return joined;
}

}  // namespace detail

/// The blocks that are joined, among the sorted ones that a rank has of a level: those that make up
/// a box twice as wide, as many of them as there are along x, along x and y, or along all axes,
/// which follow each other on the Morton curve.
template <int D>
std::vector<JoinedBlocks> find_joined(std::span<const mesh::Key<D>> keys, bool is_finest,
                                      const mesh::BlockCells<D>& block_cells,
                                      const JoinRule& rule) {
  if (rule.levels == JoinLevels::finest && !is_finest) return {};
  for (std::size_t most = rule.most_joined<D>(block_cells); most > 1; most /= 2) {
    auto joined = detail::joined_up_to<D>(most, keys);
    std::size_t n_arrays = keys.size();
    for (const JoinedBlocks& blocks : joined) n_arrays -= blocks.n - 1;
    if (n_arrays >= rule.least_arrays) return joined;
  }
  return {};
}

}  // namespace thalweg::field
