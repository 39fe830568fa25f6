// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "edges.hpp"

namespace thalweg::miniamr::data {
namespace {

/// The sum over the nine cells of a plane across x, z running fastest: at the ends of a row too.
void sum_of_nine(const double* row, std::ptrdiff_t y, std::ptrdiff_t z, double* to, int nx) {
#pragma omp simd
  for (int i = -1; i <= nx; ++i)
    to[i] = row[i - y - z] + row[i - y] + row[i - y + z] + row[i - z] + row[i] + row[i + z] +
            row[i + y - z] + row[i + y] + row[i + y + z];
}

}  // namespace

void load_ghosted(const Shape& shape, const Swept& s, double* to) {
  const auto [nx, ny, nz] = shape.n;
  const int pitch = row_pitch(nx);
  const auto row = [&, n_rows = ny + 2](int j, int k) {
    return to + ((k + 1) * n_rows + j + 1) * std::ptrdiff_t{pitch} + row_lead;
  };
  const Plane y = shape.plane(1);
  const Plane z = shape.plane(2);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      std::copy_n(s.cells + nx * (j + ny * k), nx, row(j, k));
      row(j, k)[-1] = s.ghosts[0][j + ny * k];
      row(j, k)[nx] = s.ghosts[1][j + ny * k];
    }
    std::copy_n(s.ghosts[2] + y.pitch() * k, nx + 2, row(-1, k) - 1);
    std::copy_n(s.ghosts[3] + y.pitch() * k, nx + 2, row(ny, k) - 1);
  }
  for (int j = -1; j <= ny; ++j) {
    std::copy_n(s.ghosts[4] + z.pitch() * (j + 1), nx + 2, row(j, -1) - 1);
    std::copy_n(s.ghosts[5] + z.pitch() * (j + 1), nx + 2, row(j, nz) - 1);
  }
}

void sweep_27(const Shape& shape, const Swept& s, std::span<std::byte> scratch) {
  THALWEG_EXPECT(scratch.size() >= scratch_bytes_sweep(shape), "too little scratch");
  THALWEG_EXPECT(shape.has_corners, "this stencil needs corners");
  const int nx = shape.n[0], ny = shape.n[1], nz = shape.n[2];  // names that OpenMP may capture
  const int pitch = row_pitch(nx);
  auto* const ghosted = reinterpret_cast<double*>(scratch.data());
  double* const sums = ghosted + std::ptrdiff_t{pitch} * (ny + 2) * (nz + 2);
  load_ghosted(shape, s, ghosted);
  for (int k = 0; k < nz; ++k) {
    // All sums of a layer before the first is used: a load from what was just stored would wait.
    for (int j = 0; j < ny; ++j)
      sum_of_nine(ghosted + ((k + 1) * (ny + 2) + j + 1) * std::ptrdiff_t{pitch} + row_lead, pitch,
                  std::ptrdiff_t{pitch} * (ny + 2), sums + j * pitch + row_lead, nx);
    for (int j = 0; j < ny; ++j) {
      double* const to = s.cells + nx * (j + ny * k);
      const double* const sum = sums + j * pitch + row_lead;
#pragma omp simd
      for (int i = 0; i < nx; ++i) to[i] = (sum[i - 1] + sum[i] + sum[i + 1]) / 27.0;
      copy_row_to_faces(shape, s, to, j, k);
    }
  }
}

void copy_to_faces(const Shape& shape, const Swept& s) {
  const auto [nx, ny, nz] = shape.n;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) copy_row_to_faces(shape, s, s.cells + nx * (j + ny * k), j, k);
}

std::size_t scratch_bytes_sweep(const Shape& shape) {
  const auto [nx, ny, nz] = shape.n;
  return sizeof(double) * static_cast<std::size_t>(row_pitch(nx)) *
         static_cast<std::size_t>((ny + 2) * (nz + 3));
}

}  // namespace thalweg::miniamr::data
