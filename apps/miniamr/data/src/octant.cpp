// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/octant.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>
#include <thalweg/miniamr/data/sweep.hpp>

#include "scratch_faces.hpp"

namespace thalweg::miniamr::data {

namespace {

/// Call f(row, j, k) for all rows of a variable of the octant.
template <class F>
void for_each_row(const Shape& shape, const Octant& octant, int variable, F f) {
  for (int k = 0; k < shape.n[2] / 2; ++k)
    for (int j = 0; j < shape.n[1] / 2; ++j)
      f(octant.first + variable * octant.variable + k * octant.z + j * octant.y, j, k);
}

void copy(const Shape& shape, int variable, const Octant& from, const Octant& to) {
  for_each_row(shape, from, variable, [&](const double* row, int j, int k) {
    std::copy_n(row, shape.n[0] / 2, to.first + variable * to.variable + k * to.z + j * to.y);
  });
}

void join(const Shape& shape, int variable, BlockMemory child, const Octant& to) {
  const std::ptrdiff_t y = shape.n[0];
  const std::ptrdiff_t z = y * shape.n[1];
  for_each_row(shape, to, variable, [&](double* row, int j, int k) {
    const double* const from = child.cells(variable) + 2 * j * y + 2 * k * z;
    for (int i = 0; i < shape.n[0] / 2; ++i) {
      const double* const c = from + 2 * i;
      row[i] = c[0] + c[1] + c[y] + c[y + 1] + c[z] + c[z + 1] + c[z + y] + c[z + y + 1];
    }
  });
}

/// Make a block variable by variable: its cells in scratch by make(variable, cells), its faces of
/// them, set 0, and both from there to memory.
template <class F>
void make_block(const Shape& shape, BlockMemory block, std::span<std::byte> scratch, F make) {
  THALWEG_EXPECT(scratch.size() >= scratch_bytes_regrid(shape), "too little scratch");
  Swept made{.cells = reinterpret_cast<double*>(scratch.data())};
  double* const faces = made.cells + shape.n_cells();
  made.faces = faces_in(shape, faces);
  std::fill_n(faces, shape.face_values(), 0.0);  // their borders are given before they are sent
  StreamingStores stores;
  for (int v = 0; v < shape.n_vars; ++v) {
    make(v, made.cells);
    copy_to_faces(shape, made);
    stores.copy(made.cells, shape.n_cells(), block.cells(v));
    copy(shape, made.faces, block.faces(0, v), stores);
  }
  block.clear_kept();
}

}  // namespace

Octant Octant::of(const Shape& shape, BlockMemory block, const mesh::Key<3>& child) {
  Octant all = of_variable(shape, block.cells(0), child);
  all.variable = shape.n_cells();
  return all;
}

Octant Octant::of_variable(const Shape& shape, double* cells, const mesh::Key<3>& child) {
  const auto [nx, ny, nz] = shape.n;
  const Index<3> place = mesh::coordinates(child);
  const std::ptrdiff_t row = nx;
  const std::ptrdiff_t layer = row * ny;
  return {cells + place[0] % 2 * (nx / 2) + place[1] % 2 * (ny / 2) * row +
              place[2] % 2 * (nz / 2) * layer,
          row, layer, 0};
}

Octant Octant::packed(const Shape& shape, double* numbers) {
  const std::ptrdiff_t row = shape.n[0] / 2;
  return {numbers, row, row * (shape.n[1] / 2), shape.n_cells() / 8};
}

void copy(const Shape& shape, const Octant& from, const Octant& to) {
  for (int v = 0; v < shape.n_vars; ++v) copy(shape, v, from, to);
}

void split(const Shape& shape, const Octant& from, BlockMemory child,
           std::span<std::byte> scratch) {
  const int nx = shape.n[0];
  const int ny = shape.n[1];
  make_block(shape, child, scratch, [&](int variable, double* cells) {
    for_each_row(shape, from, variable, [&](const double* row, int j, int k) {
      // All four rows from registers: to read back what was just written would wait for it.
      double* const first = cells + nx * (2 * j + ny * 2 * k);
      double* const above = first + nx;
      double* const behind = first + nx * ny;
      double* const above_behind = behind + nx;
#pragma omp simd
      for (int i = 0; i < nx / 2; ++i) {
        const double eighth = row[i] / 8.0;
        first[2 * i] = first[2 * i + 1] = eighth;
        above[2 * i] = above[2 * i + 1] = eighth;
        behind[2 * i] = behind[2 * i + 1] = eighth;
        above_behind[2 * i] = above_behind[2 * i + 1] = eighth;
      }
    });
  });
}

void join(const Shape& shape, BlockMemory child, const Octant& to) {
  for (int v = 0; v < shape.n_vars; ++v) join(shape, v, child, to);
}

void join(const Shape& shape, std::span<const JoinedChild> children, BlockMemory block,
          std::span<std::byte> scratch) {
  make_block(shape, block, scratch, [&](int variable, double* cells) {
    for (const JoinedChild& child : children) {
      const Octant to = Octant::of_variable(shape, cells, child.key);
      child.cells ? join(shape, variable, *child.cells, to) : copy(shape, variable, child.sums, to);
    }
  });
}

void refresh_faces(const Shape& shape, BlockMemory block) {
  for (int v = 0; v < shape.n_vars; ++v)
    copy_to_faces(shape, {.cells = block.cells(v), .faces = block.faces(0, v)});
}

std::size_t scratch_bytes_regrid(const Shape& shape) {
  return sizeof(double) * static_cast<std::size_t>(shape.n_cells() + shape.face_values());
}

}  // namespace thalweg::miniamr::data
