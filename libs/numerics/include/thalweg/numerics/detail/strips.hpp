// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/core/box.hpp>

namespace thalweg::numerics::detail {

/// Rows of a plane of cells or faces that lie one after another in memory: a row kernel goes
/// through them as through one long row, and so begins and ends once instead of once a short row.
///
/// It then also computes what lies between two rows, which nobody reads.
struct Strip {
  int n_rows;
  int n;                 ///< places of a row
  std::ptrdiff_t pitch;  ///< from a row to the next

  /// Places of the long row.
  int size() const { return (n_rows - 1) * static_cast<int>(pitch) + n; }
};

/// Rows of a strip of a box with some layers around its cells: as many as leave what is kept of a
/// strip in the first-level cache, and one at least; strips of about the same size.
template <int D>
int n_rows_at_once(const Box<D>& valid, int n_ghosts) {
  constexpr int n_places = 256, n_rows_least = 4;
  if constexpr (D == 1) return 1;
  const int n = std::max(1, valid.extent(1));
  const int n_most = std::max(n_rows_least, n_places / valid.grown(n_ghosts).extent(0));
  const int n_strips = (n + n_most - 1) / n_most;
  return (n + n_strips - 1) / n_strips;
}

/// Places for the cells of a strip of so many rows: along x with ghost cells, along y with a row
/// more on either side.
template <int D>
int n_places_of_strip(const Box<D>& valid, int n_ghosts, int n_rows) {
  return std::max(n_rows * valid.grown(n_ghosts).extent(0), (n_rows + 2) * valid.extent(0));
}

/// Call f(first cell, number of rows) for strips of rows along x of the lowest plane of a box: in
/// one dimension the row that it is.
template <int D, class F>
void for_each_strip(const Box<D>& box, int n_rows, F&& f) {
  Index<D> row = box.lo;
  if constexpr (D == 1) {
    f(row, 1);
  } else {
    for (; row[1] < box.hi[1]; row[1] += n_rows) f(row, std::min(n_rows, box.hi[1] - row[1]));
  }
}

}  // namespace thalweg::numerics::detail
