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
  const double* from = nullptr;        ///< first cell of the first variable, not of the border
};

/// The ghost cells of a face, for one variable: where they lie, or in `buffer`, where they must be
/// made. Without corners: planes have no border.
/// @param variable  counted from the parts' first
/// @param buffer    plane.size() numbers
const double* ghost_plane(const Plane& plane, std::span<const GhostPart> parts, int variable,
                          double* buffer);

/// Make what a part gives of a plane's ghost cells, but for the border.
/// @param from  part.from for the variable
void fill_part(const Plane& plane, const GhostPart& part, const double* from, double* to);

/// Some places of a plane, counted from its first cell on, one after another along its first
/// transverse axis or its second.
struct Line {
  int a;
  int b;
  int along;  ///< 0 or 1
  int n;
};
/// Call f(line) for the lines that a plane's border is made of.
template <class F>
void for_each_border_line(const Plane& plane, F f) {
  for (const int b : {-1, plane.n1})
    if (plane.border1 > 0) f(Line{0, b, 0, plane.n0});
  for (const int a : {-1, plane.n0}) {
    if (plane.border0 > 0) f(Line{a, 0, 1, plane.n1});
    for (const int b : {-1, plane.n1})
      if (plane.border0 > 0 && plane.border1 > 0) f(Line{a, b, 0, 1});
  }
}

/// Sum 2 x 2 cells of a plane to one: (0,0), (0,1), (1,0), (1,1), the second axis running fastest.
/// @param from   first cell, not of the border; rows `from_pitch` apart
/// @param to     n0/2 x n1/2 numbers, rows `to_pitch` apart
void sum_quads(const Plane& plane, const double* from, int from_pitch, double* to, int to_pitch);

/// The cells of a finer plane under one of a coarser one: 2 x 2, but 2 or 1 under a cell of the
/// border, which is one cell wide in both.
/// @param from  first cell of the finer plane, not of the border
/// @param a, b  place from -1 to n0/2 and n1/2 in the quarter that the finer plane covers
double sum_under(const Plane& plane, const double* from, int from_pitch, int a, int b);

/// A quarter of a plane in a message.
struct PackedQuarter {
  int pitch = 0;  ///< numbers of a row
  int n_rows = 0;
  int lead0 = 0;  ///< numbers of the border before the cells of a row: 0 or 1
  int lead1 = 0;  ///< rows of it before the first row of cells

  constexpr std::size_t size() const { return static_cast<std::size_t>(pitch * n_rows); }
  /// Where the first cell stands that is not of the border.
  constexpr int origin() const { return lead0 + pitch * lead1; }
};
/// A coarse plane's quarter as it is. @param border  0, or 1: with what is around it
constexpr PackedQuarter packed_cells(const Plane& plane, int border) {
  return {plane.n0 / 2 + 2 * border, plane.n1 / 2 + 2 * border, border, border};
}
/// A quarter's sums over a fine plane. @param border  0, or 1: with the border beside that quarter
constexpr PackedQuarter packed_sums(const Plane& plane, std::array<std::uint8_t, 2> half,
                                    int border) {
  return {plane.n0 / 2 + border, plane.n1 / 2 + border, half[0] == 0 ? border : 0,
          half[1] == 0 ? border : 0};
}
/// Where the first cell of a quarter stands in a plane.
constexpr int quarter_origin(const Plane& plane, std::array<std::uint8_t, 2> half) {
  return plane.origin() + half[0] * (plane.n0 / 2) + plane.pitch() * (half[1] * (plane.n1 / 2));
}

}  // namespace thalweg::miniamr::data
