// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// Which cells around a cell are looked at: those away along one axis, which share a face with it,
/// or along two axes as well, which in 3-D share an edge.
enum class Around : std::uint8_t { faces, edges };

/// Numbers of the cells of a piece of a row and of those around them.
template <int D>
struct CellWindow {
  static constexpr int width = 64;  ///< cells of a piece, at most
  static constexpr std::ptrdiff_t stride = width + 2;

  /// Of the first cell, at (dz + 1, dy + 1): its numbers are stride apart, the next cell is beside.
  std::array<std::array<const double*, 3>, 3> rows{};

  /// The numbers of the cell so far from the first one, up to 1 along each axis.
  const double* at(const Index<D>& offset) const {
    const int dy = D > 1 ? offset[std::min(1, D - 1)] : 0, dz = D > 2 ? offset[D - 1] : 0;
    return rows[static_cast<std::size_t>(dz + 1)][static_cast<std::size_t>(dy + 1)] + offset[0];
  }
};

/// Go through a region by pieces of rows, with numbers of the cells around them, which are computed
/// three times each at most and kept on the stack.
///
/// @param numbers  point function from a state to a std::array of doubles
/// @param f        f(first cell, number of cells, CellWindow<D>)
/// @shape u  holds what is looked at around region
/// @threads safe on distinct regions   @verified cell_window_test.cpp
template <class State, int D, class Numbers, class F>
void for_each_window(ConstView<D> u, const Box<D>& region, Around around, Numbers numbers, F f) {
  if (region.n_cells() <= 0) return;
  constexpr auto n_numbers = std::tuple_size_v<decltype(numbers(State{}))>;
  constexpr std::ptrdiff_t stride = CellWindow<D>::stride, row_size = n_numbers * stride;
  std::array<double, 9 * row_size> memory;
  // By plane and, in turn, by place along y.
  const auto row_of = [&](int y, int dz) {
    return memory.data() + (3 * (dz + 1) + (y % 3 + 3) % 3) * row_size + 1;
  };
  const int y_lo = D > 1 ? region.lo[std::min(1, D - 1)] : 0;
  const int y_hi = D > 1 ? region.hi[std::min(1, D - 1)] : 1;
  const auto fill = [&](Index<D> first, int n, int y, int dz) {
    if constexpr (D > 1) first[1] = y;
    if constexpr (D > 2) first[2] += dz;
    // What is before a row and behind it lies one axis further away than the row.
    const int n_axes = (dz == 0 ? 0 : 1) + (y >= y_lo && y < y_hi ? 0 : 1);
    const bool has_ends = n_axes < (around == Around::faces ? 1 : 2);
    first[0] -= has_ends ? 1 : 0;
    double* const to = row_of(y, dz) - (has_ends ? 1 : 0);
    compute_row(n + (has_ends ? 2 : 0),
                [=, from = u.at(0, first), u_stride = u.component_stride()](int i) {
                  const auto of_cell = numbers(load<State>(from + i, u_stride));
                  for (std::size_t k = 0; k < n_numbers; ++k)
                    to[i + static_cast<std::ptrdiff_t>(k) * stride] = of_cell[k];
                });
  };
  Box<D> columns = region;  // along y
  if constexpr (D > 1) columns.hi[1] = y_lo + 1;
  for_each_row(columns, [&](Index<D> first, int n_in_row) {
    for (int n_left = n_in_row; n_left > 0; n_left -= CellWindow<D>::width) {
      const int n = std::min(n_left, CellWindow<D>::width);
      for (int y = D > 1 ? y_lo - 1 : 0; y < y_hi + (D > 1 ? 1 : 0); ++y) {
        fill(first, n, y, 0);
        if (D > 2 && (around == Around::edges || (y >= y_lo && y < y_hi)))
          for (const int dz : {-1, 1}) fill(first, n, y, dz);
        const int centre = D > 1 ? y - 1 : y;
        if (centre < y_lo) continue;
        CellWindow<D> window;
        for (const int dz : {-1, 0, 1})
          for (const int dy : {-1, 0, 1})
            window.rows[static_cast<std::size_t>(dz + 1)][static_cast<std::size_t>(dy + 1)] =
                row_of(centre + dy, dz);
        if constexpr (D > 1) first[1] = centre;
        f(first, n, window);
      }
      first[0] += n;
    }
  });
}

namespace detail {

/// Tag the cells of a row at which a number is above 0.
///
/// Numbers are kept and looked at afterwards: where bytes are written beside doubles, GCC 12 makes
/// vectors of as many cells as there are bytes in one, which is more than a row has.
/// @pre n <= CellWindow::width
template <class F>
void tag_row(std::uint8_t* tags, int n, const F& number) {
  std::array<double, CellWindow<1>::width> numbers;
  compute_row(n, [number, to = numbers.data()](int i) { to[i] = number(i); });
  for (int i = 0; i < n; ++i)
    tags[i] = static_cast<std::uint8_t>(tags[i] | int(numbers[static_cast<std::size_t>(i)] > 0));
}

}  // namespace detail
}  // namespace thalweg::numerics
