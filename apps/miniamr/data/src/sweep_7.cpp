// SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "row_update.hpp"

namespace thalweg::miniamr::data {
namespace {

constexpr int widest = 24;  ///< cells of a row that are computed together

/// A strip of a block: some cells of each of its rows, what is around them, and who gets those
/// that are outermost. Rows, of cells and of planes, are all as far apart, so that one offset finds
/// them.
struct Strip {
  int n_rows;  ///< of a layer, even
  int n_layers;
  std::ptrdiff_t pitch;  ///< distance of rows
  double* cells;         ///< changed in place
  double* saved;         ///< room for a layer as it was
  const double* left;    ///< across x: one value a row, as they were
  const double* right;
  const double* before;  ///< across y: a row a layer
  const double* behind;
  const double* below;  ///< across z: a layer
  const double* above;
  double* x_first;  ///< get one cell of each row
  double* x_last;
  double* y_first;  ///< get a row of each layer
  double* y_last;
  double* z_first;  ///< get a layer
  double* z_last;
};

/// A layer, saved in place of the one below it.
Rows layer_of(const Strip& strip, int k) {
  const std::ptrdiff_t layer = strip.pitch * strip.n_rows;
  double* const cells = strip.cells + k * layer;
  return {cells, strip.saved, k == 0 ? strip.below : strip.saved,
          k + 1 == strip.n_layers ? strip.above : cells + layer};
}

template <int Width>
void copy_layer(const Strip& strip, const double* from, double* to) {
  for (int j = 0; j < strip.n_rows; ++j)
    RowPart<Width>::load(from + j * strip.pitch).store(to + j * strip.pitch);
}

template <int Width>
[[gnu::flatten]] void sweep_strip(const Strip& strip) {
  using Row = RowPart<Width>;
  const int n_rows = strip.n_rows;
  const std::ptrdiff_t pitch = strip.pitch;
  const std::ptrdiff_t last_row = pitch * (n_rows - 1);
  for (int k = 0; k < strip.n_layers; ++k) {
    const Rows rows = layer_of(strip, k);
    double* const cells = rows.cells;
    const double* const left = strip.left + k * n_rows;
    const double* const right = strip.right + k * n_rows;
    double* const x_first = strip.x_first + k * n_rows;
    double* const x_last = strip.x_last + k * n_rows;
    // Two rows at a time: their places in registers change and change back.
    Row even = Row::load(strip.before + k * pitch);
    Row odd = Row::load(cells);
    std::ptrdiff_t at = 0;
    for (int j = 0; j < n_rows; j += 2) {
      update_row(rows, at, {left + j, right + j, cells + at + pitch}, even, odd,
                 {cells + at, x_first + j, x_last + j});
      at += pitch;
      const double* const next = j + 2 < n_rows ? cells + at + pitch : strip.behind + k * pitch;
      update_row(rows, at, {left + j + 1, right + j + 1, next}, odd, even,
                 {cells + at, x_first + j + 1, x_last + j + 1});
      at += pitch;
    }
    Row::load(cells).store(strip.y_first + k * pitch);
    Row::load(cells + last_row).store(strip.y_last + k * pitch);
    if (k == 0) copy_layer<Width>(strip, cells, strip.z_first);
    if (k + 1 == strip.n_layers) copy_layer<Width>(strip, cells, strip.z_last);
  }
}

/// The same for a layer of a whole block with as many rows as a row has cells. A row's additions
/// and its division are one chain of some 40 cycles, and the core cannot look far enough ahead to
/// fill them: so a row is divided when the next one has been summed up. Without a loop, as rows
/// stay in registers then.
/// @tparam is_outermost  whether a face across z gets the layer too: a question less for each row
template <int Width, bool is_outermost>
[[gnu::flatten]] void sweep_square(const Strip& strip, int k) {
  using Row = RowPart<Width>;
  constexpr int n = Width;
  const Rows rows = layer_of(strip, k);
  const double* const left = strip.left + k * n;
  const double* const right = strip.right + k * n;
  double* const x_first = strip.x_first + k * n;
  double* const x_last = strip.x_last + k * n;
  const auto beside = [&](int j) -> Beside {
    return {left + j, right + j, j + 1 < n ? rows.cells + (j + 1) * n : strip.behind + k * n};
  };
  const auto divide = [&](int j, const Row& sums) {
    const Row means = divide_row(sums, {rows.cells + j * n, x_first + j, x_last + j});
    if (j == 0) means.store(strip.y_first + k * n);
    if (j == n - 1) means.store(strip.y_last + k * n);
    if constexpr (is_outermost) means.store((k == 0 ? strip.z_first : strip.z_last) + j * n);
  };
  Row even = Row::load(strip.before + k * n);
  Row odd = Row::load(rows.cells);
  Row sums_even = sum_row(rows, 0, beside(0), even, odd);
#pragma GCC unroll 8
  for (int j = 0; j < n; j += 2) {
    const Row sums_odd = sum_row(rows, (j + 1) * n, beside(j + 1), odd, even);
    divide(j, sums_even);
    if (j + 2 < n) sums_even = sum_row(rows, (j + 2) * n, beside(j + 2), even, odd);
    divide(j + 1, sums_odd);
  }
}

template <int Width>
void sweep_width(const Strip& strip) {
  // Wider rows have enough to do side by side, and too many parts for the registers.
  if constexpr (Width <= 16)
    if (strip.n_rows == Width && strip.pitch == Width) {
      const int last = strip.n_layers - 1;
      sweep_square<Width, true>(strip, 0);
      for (int k = 1; k < last; ++k) sweep_square<Width, false>(strip, k);
      sweep_square<Width, true>(strip, last);
      return;
    }
  sweep_strip<Width>(strip);
}

void sweep_strip(int width, const Strip& strip) {
  [&]<int... n>(std::integer_sequence<int, n...>) {
    ((width == 2 * (n + 1) ? sweep_width<2 * (n + 1)>(strip) : void()), ...);
  }(std::make_integer_sequence<int, widest / 2>());
}

/// Where a strip of a row begins: strips are as wide as each other, or two cells wider.
int strip_begin(int nx, int n_strips, int strip) {
  return nx / 2 * strip / n_strips * 2;
}

}  // namespace

void sweep_7(const Shape& shape, const Swept& s, std::span<std::byte> scratch) {
  THALWEG_EXPECT(scratch.size() >= scratch_bytes_sweep(shape), "too little scratch");
  THALWEG_EXPECT(!shape.has_corners, "planes without borders");
  const auto [nx, ny, nz] = shape.n;
  const std::ptrdiff_t x_size = shape.plane(0).size();
  const int n_strips = (nx + widest - 1) / widest;
  double* const saved = reinterpret_cast<double*>(scratch.data());
  double* const unwanted = saved + nx * ny;  // faces between strips
  double* const edges =
      unwanted + x_size;  // cells on both sides of where strips meet, as they were
  const auto edge = [&](int strip, int side) { return edges + (2 * strip + side) * x_size; };
  for (int strip = 1; strip < n_strips; ++strip) {
    const double* const from = s.cells + strip_begin(nx, n_strips, strip);
    for (std::ptrdiff_t row = 0; row < x_size; ++row) {
      edge(strip, 0)[row] = from[row * nx - 1];
      edge(strip, 1)[row] = from[row * nx];
    }
  }
  for (int strip = 0; strip < n_strips; ++strip) {
    const int at = strip_begin(nx, n_strips, strip);
    const int end = strip_begin(nx, n_strips, strip + 1);
    const bool is_first = strip == 0;
    const bool is_last = end == nx;
    sweep_strip(end - at, {.n_rows = ny,
                           .n_layers = nz,
                           .pitch = nx,
                           .cells = s.cells + at,
                           .saved = saved,
                           .left = is_first ? s.ghosts[0] : edge(strip, 0),
                           .right = is_last ? s.ghosts[1] : edge(strip + 1, 1),
                           .before = s.ghosts[2] + at,
                           .behind = s.ghosts[3] + at,
                           .below = s.ghosts[4] + at,
                           .above = s.ghosts[5] + at,
                           .x_first = is_first ? s.faces[0] : unwanted,
                           .x_last = is_last ? s.faces[1] : unwanted,
                           .y_first = s.faces[2] + at,
                           .y_last = s.faces[3] + at,
                           .z_first = s.faces[4] + at,
                           .z_last = s.faces[5] + at});
  }
}

}  // namespace thalweg::miniamr::data
