// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/octant.hpp>

#include <algorithm>

#include <thalweg/miniamr/data/sweep.hpp>

namespace thalweg::miniamr::data {

namespace {

/// Call f(row, j, k) for all rows of a variable of the octant.
template <class F>
void for_each_row(const Shape& shape, const Octant& octant, int variable, F f) {
  for (int k = 0; k < shape.n[2] / 2; ++k)
    for (int j = 0; j < shape.n[1] / 2; ++j)
      f(octant.first + variable * octant.variable + k * octant.z + j * octant.y, j, k);
}

/// Write set 0 of the faces of a variable anew.
void refresh_faces(const Shape& shape, BlockMemory block, int variable) {
  Swept swept{.cells = block.cells(variable)};
  for (int face = 0; face < 6; ++face)
    swept.faces[static_cast<std::size_t>(face)] = block.face(0, face, variable);
  copy_to_faces(shape, swept);
}

}  // namespace

Octant Octant::of(const Shape& shape, BlockMemory block, const mesh::Key<3>& child) {
  const auto [nx, ny, nz] = shape.n;
  const Index<3> place = mesh::coordinates(child);
  const std::ptrdiff_t row = nx;
  const std::ptrdiff_t layer = row * ny;
  return {block.cells(0) + place[0] % 2 * (nx / 2) + place[1] % 2 * (ny / 2) * row +
              place[2] % 2 * (nz / 2) * layer,
          row, layer, shape.n_cells()};
}

Octant Octant::packed(const Shape& shape, double* numbers) {
  const std::ptrdiff_t row = shape.n[0] / 2;
  return {numbers, row, row * (shape.n[1] / 2), shape.n_cells() / 8};
}

void copy(const Shape& shape, const Octant& from, const Octant& to) {
  for (int v = 0; v < shape.n_vars; ++v)
    for_each_row(shape, from, v, [&](const double* row, int j, int k) {
      std::copy_n(row, shape.n[0] / 2, to.first + v * to.variable + k * to.z + j * to.y);
    });
}

void split(const Shape& shape, const Octant& from, BlockMemory child) {
  const auto [nx, ny, nz] = shape.n;
  // Variable by variable, so that faces are copied from cells that are in the cache.
  for (int v = 0; v < shape.n_vars; ++v) {
    for_each_row(shape, from, v, [&, n = nx, m = ny](const double* row, int j, int k) {
      double* const first = child.cells(v) + n * (2 * j + m * 2 * k);
      for (int i = 0; i < n / 2; ++i) first[2 * i] = first[2 * i + 1] = row[i] / 8.0;
      for (const int other : {1, m, m + 1}) std::copy_n(first, n, first + n * other);
    });
    refresh_faces(shape, child, v);
  }
  child.clear_kept();
}

void join(const Shape& shape, BlockMemory child, const Octant& to) {
  const std::ptrdiff_t y = shape.n[0];
  const std::ptrdiff_t z = y * shape.n[1];
  for (int v = 0; v < shape.n_vars; ++v)
    for_each_row(shape, to, v, [&](double* row, int j, int k) {
      const double* const from = child.cells(v) + 2 * j * y + 2 * k * z;
      for (int i = 0; i < shape.n[0] / 2; ++i) {
        const double* const c = from + 2 * i;
        row[i] = c[0] + c[1] + c[y] + c[y + 1] + c[z] + c[z + 1] + c[z + y] + c[z + y + 1];
      }
    });
}

void refresh_faces(const Shape& shape, BlockMemory block) {
  for (int v = 0; v < shape.n_vars; ++v) refresh_faces(shape, block, v);
}

}  // namespace thalweg::miniamr::data
