// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/shape.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// All variables of an eighth of a block, or as many numbers packed: what its child is made of, or
/// makes.
struct Octant {
  double* first = nullptr;
  std::ptrdiff_t y = 0;  ///< distance of rows
  std::ptrdiff_t z = 0;
  std::ptrdiff_t variable = 0;

  /// The eighth of a block that a child covers.
  static Octant of(const Shape& shape, BlockMemory block, const mesh::Key<3>& child);
  /// The same of one variable with these cells, whichever is asked for.
  static Octant of_variable(const Shape& shape, double* cells, const mesh::Key<3>& child);
  /// Numbers one after another.
  static Octant packed(const Shape& shape, double* numbers);
  /// Numbers it has.
  static std::size_t size(const Shape& shape) {
    return static_cast<std::size_t>(shape.n_vars) * static_cast<std::size_t>(shape.n_cells() / 8);
  }
};

void copy(const Shape& shape, const Octant& from, const Octant& to);

/// Fill a child: each cell gets an eighth of the cell it lies in. Its faces too, set 0.
/// @pre scratch has scratch_bytes_regrid(shape), aligned for doubles
void split(const Shape& shape, const Octant& from, BlockMemory child, std::span<std::byte> scratch);

/// Sum 2 x 2 x 2 cells of a child to one, x fastest, then y, then z, from left to right.
void join(const Shape& shape, BlockMemory child, const Octant& to);

/// What an eighth of a joined block is made of.
struct JoinedChild {
  mesh::Key<3> key;
  std::optional<BlockMemory> cells;  ///< where the child is here
  Octant sums;                       ///< of its cells, where it is not
};

/// Fill a block whose children are joined. Its faces too, set 0.
/// @pre scratch has scratch_bytes_regrid(shape), aligned for doubles
void join(const Shape& shape, std::span<const JoinedChild> children, BlockMemory block,
          std::span<std::byte> scratch);

/// Write set 0 of a block's faces anew.
void refresh_faces(const Shape& shape, BlockMemory block);

/// Bytes of scratch that splitting and joining need.
std::size_t scratch_bytes_regrid(const Shape& shape);

}  // namespace thalweg::miniamr::data
