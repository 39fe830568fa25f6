// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/miniamr/data/sweep.hpp>

namespace thalweg::miniamr::data {

/// Numbers before the first cell of a row in scratch: a ghost cell, and room to align cells.
inline constexpr int row_lead = 4;

/// Distance of rows in scratch, ghost cells on both sides included.
constexpr int row_pitch(int nx) {
  return row_lead + (nx + 1 + 3) / 4 * 4;
}

/// Numbers of a variable with all its ghost cells, in rows of row_pitch.
constexpr std::size_t ghosted_size(const Shape& shape) {
  return static_cast<std::size_t>(row_pitch(shape.n[0])) *
         static_cast<std::size_t>((shape.n[1] + 2) * (shape.n[2] + 2));
}

/// Copy a variable with all its ghost cells to scratch: (nz + 2) layers of (ny + 2) rows.
/// @pre shape.has_corners
void load_ghosted(const Shape& shape, const Swept& s, double* to);

/// Copy what a row of new cells has on the block's faces to them.
inline void copy_row_to_faces(const Shape& shape, const Swept& s, const double* row, int j, int k) {
  const auto [nx, ny, nz] = shape.n;
  const Plane x = shape.face_plane(0);
  const Plane y = shape.face_plane(1);
  const Plane z = shape.face_plane(2);
  s.faces[0][x.origin() + j + x.pitch() * k] = row[0];
  s.faces[1][x.origin() + j + x.pitch() * k] = row[nx - 1];
  const auto copy = [row, n = nx](double* to) { std::copy_n(row, n, to); };
  if (j == 0) copy(s.faces[2] + y.origin() + y.pitch() * k);
  if (j == ny - 1) copy(s.faces[3] + y.origin() + y.pitch() * k);
  if (k == 0) copy(s.faces[4] + z.origin() + z.pitch() * j);
  if (k == nz - 1) copy(s.faces[5] + z.origin() + z.pitch() * j);
}

}  // namespace thalweg::miniamr::data
