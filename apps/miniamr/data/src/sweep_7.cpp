// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "edges.hpp"

namespace thalweg::miniamr::data {
namespace {

/// Copy a row; the loop has no rest where its length is known, and is no call.
template <int Nx>
void copy_row(const double* __restrict from, double* __restrict to, int n) {
  const int nx = Nx > 0 ? Nx : n;
#pragma omp simd
  for (int i = 0; i < nx; ++i) to[i] = from[i];
}

/// @param x  the row itself in scratch, between those of y; z: those of the layers around
template <int Nx>
void mean_of_row(const double* x, std::ptrdiff_t pitch, const double* z_low, const double* z_high,
                 double* to, int n) {
  const int nx = Nx > 0 ? Nx : n;
#pragma omp simd
  for (int i = 0; i < nx; ++i)
    to[i] = (x[i - 1] + x[i - pitch] + z_low[i] + x[i] + z_high[i] + x[i + pitch] + x[i + 1]) / 7.0;
}

/// Cells are overwritten in place: layers are copied to scratch before, with ghost cells around
/// them. A layer is copied one ahead of its use, as loads of what was just stored in pieces wait.
/// @tparam Nx  cells of a row; 0: not known
template <int Nx>
void sweep(const Shape& shape, const Swept& s, double* scratch) {
  const auto [nx_, ny, nz] = shape.n;
  const int nx = Nx > 0 ? Nx : nx_;
  const std::ptrdiff_t pitch = row_pitch(nx);
  const Plane y = shape.plane(1);
  const Plane z = shape.plane(2);
  const auto [x_low, x_high, y_low, y_high, z_low, z_high] = s.ghosts;
  const auto [x_first, x_last, y_first, y_last, z_first, z_last] = s.faces;
  double* below = scratch + pitch + row_lead;
  double* now = below + (ny + 2) * pitch;
  double* above = now + (ny + 2) * pitch;
  const auto copy_layer = [&, m = ny](int k, double* to) {
    const double* const from = s.cells + k * m * nx;
    copy_row<Nx>(y_low + y.origin() + k * y.pitch(), to - pitch, nx);
    for (int j = 0; j < m; ++j) copy_row<Nx>(from + j * nx, to + j * pitch, nx);
    for (int j = 0; j < m; ++j) {
      to[j * pitch - 1] = x_low[k * m + j];
      to[j * pitch + nx] = x_high[k * m + j];
    }
    copy_row<Nx>(y_high + y.origin() + k * y.pitch(), to + m * pitch, nx);
  };
  const auto copy_ghosts = [&, m = ny](const double* from, double* to) {
    for (int j = 0; j < m; ++j) copy_row<Nx>(from + z.origin() + j * z.pitch(), to + j * pitch, nx);
  };

  copy_ghosts(z_low, below);
  copy_layer(0, now);
  for (int k = 0; k < nz; ++k) {
    if (k + 1 < nz)
      copy_layer(k + 1, above);
    else
      copy_ghosts(z_high, above);
    double* const cells = s.cells + k * ny * nx;
    for (int j = 0; j < ny; ++j)
      mean_of_row<Nx>(now + j * pitch, pitch, below + j * pitch, above + j * pitch, cells + j * nx,
                      nx);
    for (int j = 0; j < ny; ++j) {
      x_first[k * ny + j] = cells[j * nx];
      x_last[k * ny + j] = cells[j * nx + nx - 1];
    }
    copy_row<Nx>(cells, y_first + y.origin() + k * y.pitch(), nx);
    copy_row<Nx>(cells + (ny - 1) * nx, y_last + y.origin() + k * y.pitch(), nx);
    if (k == 0 || k + 1 == nz) {
      double* const face = (k == 0 ? z_first : z_last) + z.origin();
      for (int j = 0; j < ny; ++j) copy_row<Nx>(cells + j * nx, face + j * z.pitch(), nx);
    }
    double* const free = below;
    below = now;
    now = above;
    above = free;
  }
}

}  // namespace

void sweep_7(const Shape& shape, const Swept& swept, std::span<std::byte> scratch) {
  THALWEG_EXPECT(scratch.size() >= scratch_bytes_sweep(shape), "too little scratch");
  auto* const buffer = reinterpret_cast<double*>(scratch.data());
  switch (shape.n[0]) {
    case 4:
      return sweep<4>(shape, swept, buffer);
    case 8:
      return sweep<8>(shape, swept, buffer);
    case 10:
      return sweep<10>(shape, swept, buffer);
    case 12:
      return sweep<12>(shape, swept, buffer);
    case 16:
      return sweep<16>(shape, swept, buffer);
    case 18:
      return sweep<18>(shape, swept, buffer);
    case 24:
      return sweep<24>(shape, swept, buffer);
    default:
      return sweep<0>(shape, swept, buffer);
  }
}

}  // namespace thalweg::miniamr::data
