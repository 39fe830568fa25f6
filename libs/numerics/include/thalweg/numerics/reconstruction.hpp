// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>

namespace thalweg::numerics {

/// The values of a quantity at the lower and the upper face of a cell, seen from inside.
struct Edges {
  double lower;
  double upper;
};

/// The averages of a cell and of `radius` neighbours on either side along an axis.
template <int radius>
using Stencil = std::array<double, 2 * static_cast<std::size_t>(radius) + 1>;

/// A rule that makes edge values from 2*radius+1 neighbouring cell averages along an axis.
///
/// is_bounded says that the edge values lie between the averages of the cell and of its neighbours,
/// to rounding, so that a positive quantity stays positive unless these averages are 1e15 times
/// apart; where they need not, schemes take the average of cells that have an inadmissible edge.
///
/// Valid: PlmVanLeer. Invalid: a rule that needs to know where in the block it is.
template <class R>
concept Reconstruction = requires(const R r, Stencil<R::radius> q) {
  { R::radius } -> std::convertible_to<int>;
  { R::is_bounded } -> std::convertible_to<bool>;
  { r.edges(q) } -> std::same_as<Edges>;
};

/// Take a quantity as constant in the cell; first order.
struct DonorCell {
  static constexpr int radius = 0;
  static constexpr bool is_bounded = true;
  static constexpr Edges edges(Stencil<0> q) { return {q[0], q[0]}; }
};

/// Take a quantity as linear in the cell, with van Leer's harmonic mean of the one-sided slopes.
/// @source van Leer, JCP 23 (1977) 276; Mignone, JCP 270 (2014) 784, eq. 37
struct PlmVanLeer {
  static constexpr int radius = 1;
  static constexpr bool is_bounded = true;
  static constexpr Edges edges(Stencil<1> q) {
    const double below = q[1] - q[0];
    const double above = q[2] - q[1];
    const double both = below * above;
    const double half_slope = both > 0 ? both / (below + above) : 0.0;
    return {q[1] - half_slope, q[1] + half_slope};
  }
};

static_assert(Reconstruction<DonorCell> && Reconstruction<PlmVanLeer>);

}  // namespace thalweg::numerics
