// SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "lanes.hpp"

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

/// Some rows of a layer, and what is around them.
struct Rows {
  double* cells;
  double* saved;
  const double* below;
  const double* above;
};

/// Replace a row by its means. Rows before and behind it stay in registers; it is saved as it was.
/// @param before  gets the row behind
/// @param at      where the row begins among rows
template <int Width>
inline void update_row(const Rows& rows, std::ptrdiff_t at, const double& left, const double& right,
                       const double* row_behind, RowPart<Width>& before, const RowPart<Width>& now,
                       double& x_first, double& x_last) {
  using Row = RowPart<Width>;
  using Part = typename Row::Part;
  double* const row = rows.cells + at;
  Part last_mean;
  // A part is stored when the one after it has been computed, from cells as they were.
  Row::for_each([&](auto p) {
    const auto load = [&](const double* from) -> Part {
      return load_lanes<Part>(from + Row::at(p));
    };
    Part x_low;
    Part x_high;
    if constexpr (p == 0)
      x_low = shifted_up(now.parts[p], left);
    else
      x_low = load(row - 1);
    if constexpr (p == Row::n - 1)
      x_high = shifted_down(now.parts[p], right);
    else
      x_high = load(row + 1);
    const Part so_far = x_low + before.parts[p];
    before.parts[p] = load(row_behind);
    const Part mean = divided_by_7(so_far + load(rows.below + at) + now.parts[p] +
                                   load(rows.above + at) + before.parts[p] + x_high);
    if constexpr (p == 0)
      x_first = mean[0];
    else
      store_lanes(last_mean, row + Row::at(p - 1));
    last_mean = mean;
  });
  store_lanes(last_mean, row + Row::at(Row::n - 1));
  x_last = last_mean[Row::n_lanes - 1];
  // Not before: parts may overlap, and the row below may lie there.
  now.store(rows.saved + at);
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
    const bool is_last = k + 1 == strip.n_layers;
    double* const cells = strip.cells + k * (last_row + pitch);
    const Rows rows{cells, strip.saved, k == 0 ? strip.below : strip.saved,
                    is_last ? strip.above : cells + last_row + pitch};
    const double* const left = strip.left + k * n_rows;
    const double* const right = strip.right + k * n_rows;
    double* const x_first = strip.x_first + k * n_rows;
    double* const x_last = strip.x_last + k * n_rows;
    // Two rows at a time: their places in registers change and change back.
    Row even = Row::load(strip.before + k * pitch);
    Row odd = Row::load(cells);
    std::ptrdiff_t at = 0;
    for (int j = 0; j < n_rows; j += 2) {
      update_row(rows, at, left[j], right[j], cells + at + pitch, even, odd, x_first[j], x_last[j]);
      at += pitch;
      const double* const next = j + 2 < n_rows ? cells + at + pitch : strip.behind + k * pitch;
      update_row(rows, at, left[j + 1], right[j + 1], next, odd, even, x_first[j + 1],
                 x_last[j + 1]);
      at += pitch;
    }
    Row::load(cells).store(strip.y_first + k * pitch);
    Row::load(cells + last_row).store(strip.y_last + k * pitch);
    if (k == 0) copy_layer<Width>(strip, cells, strip.z_first);
    if (is_last) copy_layer<Width>(strip, cells, strip.z_last);
  }
}

void sweep_strip(int width, const Strip& strip) {
  [&]<int... n>(std::integer_sequence<int, n...>) {
    ((width == 2 * (n + 1) ? sweep_strip<2 * (n + 1)>(strip) : void()), ...);
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
