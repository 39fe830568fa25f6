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

/// The rows that a row of new cells is made of.
struct Rows {
  const double* x;  ///< the row itself, with ghost cells on both sides
  const double *y_low, *y_high, *z_low, *z_high;
};

/// @tparam Nx  cells of a row, so that the loop has no rest; 0: not known
template <int Nx>
void mean_of_row(const Rows& r, double* to, int n) {
  const int nx = Nx > 0 ? Nx : n;
#pragma omp simd
  for (int i = 0; i < nx; ++i)
    to[i] =
        (r.x[i - 1] + r.y_low[i] + r.z_low[i] + r.x[i] + r.z_high[i] + r.y_high[i] + r.x[i + 1]) /
        7.0;
}

/// Rows are overwritten in place: the one below and the plane below are kept as they were.
template <int Nx>
void sweep(const Shape& shape, const Swept& s, double* scratch) {
  const auto [nx_, ny, nz] = shape.n;
  const int nx = Nx > 0 ? Nx : nx_;
  const int pitch = row_pitch(nx);
  const auto& g = s.ghosts;
  const Plane y = shape.plane(1);
  const Plane z = shape.plane(2);
  double* now = scratch;
  double* below = scratch + ny * pitch;
  for (int k = 0; k < nz; ++k) {
    double* const cells = s.cells + nx * ny * k;
    for (int j = 0; j < ny; ++j) {
      double* const row = now + j * pitch + row_lead;
      std::copy_n(cells + nx * j, nx, row);
      row[-1] = g[0][j + ny * k];
      row[nx] = g[1][j + ny * k];
    }
    for (int j = 0; j < ny; ++j) {
      double* const to = cells + nx * j;
      const double* const row = now + j * pitch + row_lead;
      const Rows rows{
          .x = row,
          .y_low = j > 0 ? row - pitch : g[2] + y.origin() + y.pitch() * k,
          .y_high = j + 1 < ny ? row + pitch : g[3] + y.origin() + y.pitch() * k,
          .z_low = k > 0 ? below + j * pitch + row_lead : g[4] + z.origin() + z.pitch() * j,
          .z_high = k + 1 < nz ? to + nx * ny : g[5] + z.origin() + z.pitch() * j};
      mean_of_row<Nx>(rows, to, nx);
      copy_row_to_faces(shape, s, to, j, k);
    }
    std::swap(now, below);
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
