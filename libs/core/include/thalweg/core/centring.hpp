// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg {

/// Where on cells the values of a field lie: axis by axis, at their centres or at their ends.
///
/// *Points* are what a value belongs to: the centres of cells, or of faces with one normal, or the
/// nodes. Point i lies at i h where an axis is between cells, else at (i + 1/2) h: so point i is at
/// the lower end of cell i, and a box of cells has one point more on each axis between cells.
/// Values at edges have their centres on one axis and lie between cells on the others.
template <int D>
struct Centring {
  BasicVec<bool, D> between{};  ///< by axis: at the ends of cells, not at their centres

  constexpr bool operator==(const Centring&) const = default;

  static constexpr Centring cell() { return {}; }
  static constexpr Centring node() { return {BasicVec<bool, D>::filled(true)}; }
  /// The faces whose normal is an axis.
  static constexpr Centring face(int axis) { return {BasicVec<bool, D>::unit(axis)}; }

  constexpr bool is_face(int axis) const { return *this == face(axis); }
  /// The points of cells, those at their upper ends included.
  constexpr Box<D> points(Box<D> cells) const {
    for (int a = 0; a < D; ++a)
      if (between[a]) ++cells.hi[a];
    return cells;
  }
  /// The points of the grid r times coarser that are read to interpolate some points of this one:
  /// those next to them on axes between cells, else those around, `reach` further on both sides.
  constexpr Box<D> coarsened(const Box<D>& points, int r, int reach) const {
    Box<D> coarse = points.coarsened(r);
    for (int a = 0; a < D; ++a) {
      if (between[a])
        coarse.hi[a] = floor_div(points.hi[a] - 1 + r - 1, r) + 1;
      else
        coarse = coarse.grown(a, reach);
    }
    return coarse;
  }
  /// The points of the grid r times coarser whose values can be had from these: on axes between
  /// cells those that lie on one, else those all of whose parts are there.
  constexpr Box<D> covered(const Box<D>& points, int r) const {
    Box<D> coarse;
    for (int a = 0; a < D; ++a) {
      coarse.lo[a] = floor_div(points.lo[a] + r - 1, r);
      coarse.hi[a] = between[a] ? floor_div(points.hi[a] - 1, r) + 1 : floor_div(points.hi[a], r);
    }
    return coarse;
  }
};

}  // namespace thalweg
