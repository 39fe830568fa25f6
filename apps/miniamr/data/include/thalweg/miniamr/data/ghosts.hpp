// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data {

/// Where ghost cells of a face come from: one of the faces around, or a message.
struct GhostPart {
  enum class Kind : std::uint8_t {
    copy,    ///< a whole plane as it is
    spread,  ///< a quarter of a coarser plane: each cell divided by 4, to 2 x 2 ghost cells
    sum,     ///< a finer plane: 2 x 2 cells are summed, for a quarter of the ghost cells
    place,   ///< sums made elsewhere, for a quarter of the ghost cells
  };

  Kind kind = Kind::copy;
  std::array<std::uint8_t, 2> half{};  ///< of a quarter of the ghost cells: along each axis
  int pitch = 0;                       ///< distance of rows in `from`, in numbers
  std::ptrdiff_t stride = 0;           ///< distance of variables
  const double* from = nullptr;        ///< first cell of the first variable; copy: with the border
};

/// What a face's ghost cells were after the last stage, and where the domain ends beside the face:
/// low and high along each transverse axis.
struct OldGhosts {
  const double* plane = nullptr;  ///< with its border; null: 0 everywhere
  std::array<bool, 4> is_end{};
};

/// The ghost cells of a face, for one variable: where they lie, or in `buffer`, where they must be
/// made. Where levels change nobody sends their border: it is as old as the reference leaves it.
/// There the boundary condition along an axis before copies a block's old ghost cells too, so at
/// an end of the domain the border is what was beside it, elsewhere what it was.
/// @param variable  counted from the parts' first
/// @param buffer    plane.size() numbers
const double* ghost_plane(const Plane& plane, std::span<const GhostPart> parts, int variable,
                          double* buffer, const OldGhosts& old = {});

/// Sum 2 x 2 cells of a plane to one: (0,0), (0,1), (1,0), (1,1), the second axis running fastest.
/// @param from   first cell, not of the border
/// @param to     n0/2 x n1/2 numbers, rows `to_pitch` apart
void sum_quads(const Plane& plane, const double* from, double* to, int to_pitch);

/// Numbers of one variable of a plane's quarter.
constexpr int quarter_size(const Plane& plane) {
  return plane.n0 / 2 * (plane.n1 / 2);
}
/// Where the first cell of a quarter stands in a plane.
constexpr int quarter_origin(const Plane& plane, std::array<std::uint8_t, 2> half) {
  return plane.origin() + half[0] * (plane.n0 / 2) + plane.pitch() * (half[1] * (plane.n1 / 2));
}

}  // namespace thalweg::miniamr::data
