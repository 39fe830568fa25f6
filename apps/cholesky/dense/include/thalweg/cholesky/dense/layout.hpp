// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::cholesky {

/// Which triangle of a Hermitian matrix is stored, and factorised: A = L L^H or A = U^H U.
enum class Uplo : std::uint8_t { lower, upper };

/// A square matrix in tiles, which ranks own in turns: two-dimensional block cyclic.
///
/// Tile (i, j), i >= j, is the block of tile row i and column j of the lower triangle; with
/// Uplo::upper it is stored as its conjugate transpose, block (j, i). Ranks lie on a grid of
/// grid_rows x grid_columns, row after row, and tile (i, j) is that of rank (i mod grid_rows,
/// j mod grid_columns).
struct Layout {
  std::int64_t n = 0;  ///< rows, >= 0
  int tile = 1;        ///< rows of a tile, > 0; the last has what is left
  int grid_rows = 1;
  int grid_columns = 1;
  Uplo uplo = Uplo::lower;

  /// Tiles along an axis.
  int n_tiles() const { return static_cast<int>((n + tile - 1) / tile); }
  std::int64_t begin(int i) const { return std::int64_t{i} * tile; }
  /// Rows of a tile.
  int rows(int i) const { return static_cast<int>(std::min<std::int64_t>(tile, n - begin(i))); }
  int n_ranks() const { return grid_rows * grid_columns; }
  /// The rank at a place of the grid, which is continued periodically.
  Rank rank_at(int row, int column) const {
    return Rank(row % grid_rows * grid_columns + column % grid_columns);
  }
  Rank owner(int i, int j) const { return rank_at(i, j); }
  int grid_row(Rank rank) const { return static_cast<int>(rank()) / grid_columns; }
  int grid_column(Rank rank) const { return static_cast<int>(rank()) % grid_columns; }
  bool operator==(const Layout&) const = default;
};

/// The ranks that need tile (m, k) to update what lies right of column k, but for its owner; each
/// once, at most grid_rows + grid_columns - 2.
///
/// Those are the owners of tile row m up to the diagonal and of tile column m below it.
/// @pre m >= k
std::vector<Rank> readers(const Layout& layout, int m, int k);
/// Whether a rank owns or reads a tile of tile row m: in any column it may, or not at all.
inline bool may_hold(const Layout& layout, Rank rank, int m) {
  return layout.grid_row(rank) == m % layout.grid_rows ||
         layout.grid_column(rank) == m % layout.grid_columns;
}

/// The first index, not below `from`, that is `remainder` modulo `modulus`.
constexpr int first_from(int from, int remainder, int modulus) {
  return from + ((remainder - from) % modulus + modulus) % modulus;
}

/// Call f(i) for a rank's tiles (i, j) of column j, from tile row `first` on.
template <std::invocable<int> F>
void for_each_row(const Layout& layout, Rank rank, int j, int first, F f) {
  if (j % layout.grid_columns != layout.grid_column(rank)) return;
  for (int i = first_from(first, layout.grid_row(rank), layout.grid_rows); i < layout.n_tiles();
       i += layout.grid_rows)
    f(i);
}

/// Call f(i, j) for a rank's tiles, column after column.
template <std::invocable<int, int> F>
void for_each_tile(const Layout& layout, Rank rank, F f) {
  for (int j = layout.grid_column(rank); j < layout.n_tiles(); j += layout.grid_columns)
    for_each_row(layout, rank, j, j, [&](int i) { f(i, j); });
}

}  // namespace thalweg::cholesky
