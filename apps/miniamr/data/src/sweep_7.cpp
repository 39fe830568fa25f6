// SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "lanes.hpp"

namespace thalweg::miniamr::data {
namespace {

constexpr int widest = 24;  ///< cells of a row that are computed together

/// Rows of cells, a layer after a layer.
template <class T>
struct Rows {
  T* first;
  std::ptrdiff_t y;  ///< distance of rows
  std::ptrdiff_t z;  ///< of layers

  Rows layer(int k) const { return {first + k * z, y, z}; }
  T* operator[](std::ptrdiff_t j) const { return first + j * y; }
};

/// A strip of a block: some cells of each of its rows, what is around them, and who gets those
/// that are outermost.
struct Strip {
  int n_rows;  ///< of a layer
  int n_layers;
  Rows<double> cells;       ///< changed in place
  double* saved;            ///< room for a layer as it was
  Rows<const double> left;  ///< across x: one value a row, as they were
  Rows<const double> right;
  Rows<const double> before;  ///< across y: a row a layer
  Rows<const double> behind;
  Rows<const double> below;  ///< across z
  Rows<const double> above;
  double* x_first;  ///< get one cell of each row
  double* x_last;
  Rows<double> y_first;  ///< get a row of each layer
  Rows<double> y_last;
  Rows<double> z_first;
  Rows<double> z_last;
};

template <int Width>
void copy_layer(int n_rows, const Rows<double>& from, const Rows<double>& to) {
  for (int j = 0; j < n_rows; ++j) RowPart<Width>::load(from[j]).store(to[j]);
}

/// All that is read of a row is read before any of it is written, so that parts of rows may
/// overlap. Rows before and behind stay in registers, the layer below in `saved`.
template <int Width>
[[gnu::flatten]] void sweep_strip(const Strip& strip) {
  using Row = RowPart<Width>;
  const int n_rows = strip.n_rows;
  double* const saved = strip.saved;
  double* x_first = strip.x_first;
  double* x_last = strip.x_last;
  for (int k = 0; k < strip.n_layers; ++k) {
    const auto cells = strip.cells.layer(k);
    const auto below = k == 0 ? strip.below : Rows<const double>{saved, Width, 0};
    const auto above = k + 1 == strip.n_layers
                           ? strip.above
                           : Rows<const double>{cells.layer(1).first, cells.y, 0};
    const auto left = strip.left.layer(k);
    const auto right = strip.right.layer(k);
    Row before = Row::load(strip.before.layer(k).first);
    Row now = Row::load(cells[0]);
    const auto update_row = [&](int j, const double* row_behind) {
      double* const row = cells[j];
      const Row behind = Row::load(row_behind);
      Row mean;
      Row::for_each([&](auto p) {
        const auto at = [&](const double* from) {
          return load_lanes<typename Row::Part>(from + Row::at(p));
        };
        typename Row::Part x_low;
        typename Row::Part x_high;
        if constexpr (p == 0)
          x_low = shifted_up(now.parts[p], *left[j]);
        else
          x_low = at(row - 1);
        if constexpr (p == Row::n - 1)
          x_high = shifted_down(now.parts[p], *right[j]);
        else
          x_high = at(row + 1);
        mean.parts[p] = divided_by_7(x_low + before.parts[p] + at(below[j]) + now.parts[p] +
                                     at(above[j]) + behind.parts[p] + x_high);
      });
      now.store(saved + j * Width);
      mean.store(row);
      x_first[j] = mean.parts[0][0];
      x_last[j] = mean.parts[Row::n - 1][Row::n_lanes - 1];
      before = now;
      now = behind;
    };
    for (int j = 0; j + 1 < n_rows; ++j) update_row(j, cells[j + 1]);
    update_row(n_rows - 1, strip.behind.layer(k).first);
    x_first += n_rows;
    x_last += n_rows;
    Row::load(cells[0]).store(strip.y_first.layer(k).first);
    Row::load(cells[n_rows - 1]).store(strip.y_last.layer(k).first);
    if (k == 0) copy_layer<Width>(n_rows, cells, strip.z_first);
    if (k + 1 == strip.n_layers) copy_layer<Width>(n_rows, cells, strip.z_last);
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
  const auto [nx, ny, nz] = shape.n;
  const std::ptrdiff_t x_size = shape.plane(0).size();
  const int n_strips = (nx + widest - 1) / widest;
  double* const saved = reinterpret_cast<double*>(scratch.data());
  double* const unwanted = saved + widest * ny;  // faces between strips
  double* const edges = unwanted + x_size;       // cells before a strip as they were
  const auto block = [&, y = std::ptrdiff_t{nx}, z = std::ptrdiff_t{nx} * ny](int at) {
    return Rows<double>{s.cells + at, y, z};
  };
  for (int strip = 1; strip < n_strips; ++strip) {
    const Rows<double> from = block(strip_begin(nx, n_strips, strip) - 1);
    for (std::ptrdiff_t row = 0; row < x_size; ++row)
      edges[(strip - 1) * x_size + row] = *from[row];
  }
  const auto y_rows = [&](auto* face, int at) {
    return Rows{face + shape.plane(1).origin() + at, 0, shape.plane(1).pitch()};
  };
  const auto z_rows = [&](auto* face, int at) {
    return Rows{face + shape.plane(2).origin() + at, shape.plane(2).pitch(), 0};
  };
  for (int strip = 0; strip < n_strips; ++strip) {
    const int at = strip_begin(nx, n_strips, strip);
    const int end = strip_begin(nx, n_strips, strip + 1);
    const bool is_first = strip == 0;
    const bool is_last = end == nx;
    const Rows<double> behind = block(end);
    sweep_strip(end - at, {.n_rows = ny,
                           .n_layers = nz,
                           .cells = block(at),
                           .saved = saved,
                           .left = {is_first ? s.ghosts[0] : edges + (strip - 1) * x_size, 1, ny},
                           .right = is_last ? Rows<const double>{s.ghosts[1], 1, ny}
                                            : Rows<const double>{behind.first, behind.y, behind.z},
                           .before = y_rows(s.ghosts[2], at),
                           .behind = y_rows(s.ghosts[3], at),
                           .below = z_rows(s.ghosts[4], at),
                           .above = z_rows(s.ghosts[5], at),
                           .x_first = is_first ? s.faces[0] : unwanted,
                           .x_last = is_last ? s.faces[1] : unwanted,
                           .y_first = y_rows(s.faces[2], at),
                           .y_last = y_rows(s.faces[3], at),
                           .z_first = z_rows(s.faces[4], at),
                           .z_last = z_rows(s.faces[5], at)});
  }
}

}  // namespace thalweg::miniamr::data
