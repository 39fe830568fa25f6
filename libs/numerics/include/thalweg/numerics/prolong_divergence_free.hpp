// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/centring.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>

namespace thalweg::numerics {

/// The normal components of a vector field on the faces of each axis.
template <int D>
using FaceViews = std::array<View<double, D>, static_cast<std::size_t>(D)>;

namespace detail {

/// The fluxes through the fine faces that make up the faces of one coarse cell, and the sums of
/// them that say how the flow turns inside.
template <int D>
class CellFaces {
 public:
  CellFaces(const FaceViews<D>& fine, const Index<D>& cell, const Vec<D>& area)
      : fine_(fine), first_(cell * 2), area_(area) {
    for (int b = 0; b < D; ++b)
      for_each(Box<D>::cube(2), [&](const Index<D>& corner) {
        const double flux = value(b, corner) * area[b];
        for (int a = 0; a < D; ++a) {
          if (a == b) continue;
          turn(b, a) += sign(corner[a]) * sign(corner[b]) * flux;
        }
        if constexpr (D == 3)
          twists_[static_cast<std::size_t>(b)] +=
              sign(corner[0]) * sign(corner[1]) * sign(corner[2]) * flux;
      });
  }

  /// The normal component on an inner face; corner[axis] does not count.
  double inner(int axis, Index<D> corner) const {
    corner[axis] = 0;
    const double below = value(axis, corner);
    corner[axis] = 1;
    const double above = value(axis, corner);
    double flux = 0;
    for (int b = 0; b < D; ++b) {
      if (b == axis) continue;
      flux += turn(b, axis) / (1 << D);
      if constexpr (D == 3)
        flux += sign(corner[3 - axis - b]) * twists_[static_cast<std::size_t>(b)] / 16;
    }
    return 0.5 * (below + above) + flux / area_[axis];
  }

 private:
  static constexpr double sign(int side) { return side == 0 ? -1.0 : 1.0; }
  /// On the outer face of an axis at a corner of the cell.
  double value(int axis, const Index<D>& corner) const {
    return fine_[static_cast<std::size_t>(axis)]
                [0, first_ + corner + Index<D>::unit(axis) * corner[axis]];
  }
  double& turn(int of, int axis) {
    return turns_[static_cast<std::size_t>(of)][static_cast<std::size_t>(axis)];
  }
  double turn(int of, int axis) const {
    return turns_[static_cast<std::size_t>(of)][static_cast<std::size_t>(axis)];
  }

  const FaceViews<D>& fine_;
  Index<D> first_;
  Vec<D> area_;
  std::array<std::array<double, static_cast<std::size_t>(D)>, static_cast<std::size_t>(D)> turns_{};
  std::array<double, static_cast<std::size_t>(D)> twists_{};
};

}  // namespace detail

/// Set the fine faces inside coarse cells so that each of a cell's 2^D parts has the same
/// divergence, that of the cell, to rounding.
///
/// The faces that make up those of the coarse cells are given: interpolated (prolong_points), or
/// those that a neighbour on the fine level has. What the divergence leaves free is shared evenly
/// among the fluxes: for cubic cells as in the source.
///
/// @param  cells  coarse cells, ratio 2
/// @param  dx     of either level: ratios of lengths are what counts
/// @shape  fine   one component each, the faces of cells.refined(2)
/// @pre    D is 2 or 3   @threads safe on distinct cells   @cost no allocation
/// @source Toth and Roe, JCP 180 (2002) 736
/// @verified prolong_divergence_free_test.cpp
template <int D>
  requires(D > 1)
void prolong_divergence_free(const FaceViews<D>& fine, const Box<D>& cells, const Vec<D>& dx) {
  Vec<D> area = Vec<D>::filled(1.0);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b)
      if (b != a) area[a] *= dx[b];
  for_each(cells, [&](const Index<D>& cell) {
    const detail::CellFaces<D> faces(fine, cell, area);
    for (int a = 0; a < D; ++a) {
      Box<D> across = Box<D>::cube(2);
      across.hi[a] = 1;
      for_each(across, [&](const Index<D>& corner) {
        fine[static_cast<std::size_t>(a)][0, cell * 2 + corner + Index<D>::unit(a)] =
            faces.inner(a, corner);
      });
    }
  });
}

}  // namespace thalweg::numerics
