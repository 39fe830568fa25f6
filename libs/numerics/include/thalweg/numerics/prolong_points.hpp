// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/centring.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/prolong.hpp>

namespace thalweg::numerics {

namespace detail {

/// One fine point from the coarse ones around it, axis after axis; `coarse` is the point at or
/// below it.
template <int axis, int D>
double prolonged_point(const Centring<D>& centring, const View<const double, D>& from, int c,
                       const Index<D>& fine, const Index<D>& coarse, int ratio) {
  if constexpr (axis == D) {
    double value = from[c, coarse];
    const double centre = value;
    for (int a = 0; a < D; ++a) {
      if (centring.between[a]) continue;
      const double offset = child_offset(fine[a] - coarse[a] * ratio, ratio);
      const Index<D> one = Index<D>::unit(a);
      value +=
          offset * slope_monotonised_central(from[c, coarse - one], centre, from[c, coarse + one]);
    }
    return value;
  } else {
    const double below = prolonged_point<axis + 1>(centring, from, c, fine, coarse, ratio);
    const int distance = fine[axis] - coarse[axis] * ratio;
    if (!centring.between[axis] || distance == 0) return below;
    const double above =
        prolonged_point<axis + 1>(centring, from, c, fine, coarse + Index<D>::unit(axis), ratio);
    return below + static_cast<double>(distance) / ratio * (above - below);
  }
}

}  // namespace detail

/// Interpolate fine points from coarse ones: linear between points, and by limited slopes on axes
/// through centres.
///
/// Fine nodes that lie on coarse ones are these; the fine faces that cover a coarse one have its
/// value as their mean, to rounding. Exact for linear functions, at nodes for multilinear ones; a
/// uniform field stays the same to the bit. Each fine point depends on the coarse points next to it
/// and, on axes through centres, their neighbours only, so a region may begin and end anywhere.
///
/// @shape  coarse  holds centring.coarsened(region, ratio, 1); fine  holds region
/// @pre    ratio >= 1   @threads safe on distinct regions   @cost no allocation
/// @verified prolong_points_test.cpp
template <int D>
void prolong_points(const Centring<D>& centring, ConstView<D> coarse, const View<double, D>& fine,
                    const Box<D>& region, int ratio) {
  THALWEG_EXPECT(fine.n_components() == coarse.n_components(), "numbers of components differ");
  for (int c = 0; c < fine.n_components(); ++c)
    for_each(region, [&](const Index<D>& i) {
      fine[c, i] = detail::prolonged_point<0>(centring, coarse, c, i, floor_div(i, ratio), ratio);
    });
}

}  // namespace thalweg::numerics
