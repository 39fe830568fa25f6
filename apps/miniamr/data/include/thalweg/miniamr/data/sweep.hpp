// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data {

/// One variable of a block while it is swept: where its cells are, what is around them, and where
/// its outermost cells go.
struct Swept {
  double* cells = nullptr;                ///< n[0] * n[1] * n[2], x fastest; changed in place
  std::array<const double*, 6> ghosts{};  ///< planes beyond the faces: Shape::plane
  std::array<double*, 6> faces{};         ///< get the new outermost cells: Shape::face_plane
};

/// Go on to the next variable of the block, whose planes follow these.
inline void advance(const Shape& shape, Swept& swept) {
  swept.cells += shape.n_cells();
  for (std::size_t face = 0; face < 6; ++face) {
    swept.ghosts[face] += shape.plane(static_cast<int>(face / 2)).size();
    swept.faces[face] += shape.face_plane(static_cast<int>(face / 2)).size();
  }
}

/// Bytes of scratch a sweep needs.
std::size_t scratch_bytes_sweep(const Shape& shape);

/// Replace each cell by the mean of itself and its six neighbours, summed in the order
/// x-, y-, z-, itself, z+, y+, x+ and then divided by 7.
/// @pre cells are +0 or such that means are normal numbers; others get a mean that is a unit off in
///      the last place, or not a number where it is infinite
/// @pre scratch is aligned to 64 bytes
/// @pre !shape.has_corners
void sweep_7(const Shape& shape, const Swept& swept, std::span<std::byte> scratch);

/// Replace each cell by the mean of the 27 around it: the planes x-, x, x+ are summed one by one, z
/// running fastest, then added in this order and divided by 27.
/// @pre shape.has_corners
void sweep_27(const Shape& shape, const Swept& swept, std::span<std::byte> scratch);

/// Copy the outermost cells to the faces.
void copy_to_faces(const Shape& shape, const Swept& swept);

}  // namespace thalweg::miniamr::data
