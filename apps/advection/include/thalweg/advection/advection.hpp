// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numbers>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/conservation_law.hpp>

namespace thalweg::advection {

struct Scalar {
  double u;  ///< a concentration, say
};

/// Advection by a uniform velocity v and diffusion with a diffusivity k:
///     d_t u + div (v u - k grad u) = 0
template <int D>
struct Advection : numerics::ConservationLaw<Advection<D>, D, Scalar> {
  Vec<D> velocity;
  double diffusivity = 0;

  constexpr Scalar flux(Scalar w, int axis) const { return {velocity[axis] * w.u}; }
  constexpr numerics::Speeds speeds(Scalar, int a) const { return {velocity[a], velocity[a]}; }
  constexpr Scalar diffusive_flux(Scalar below, Scalar above, double dx, int) const {
    return {-diffusivity * (above.u - below.u) / dx};
  }
};

/// A Gaussian of height 1 that moves and spreads in a periodic box much larger than itself: the
/// mean over a cell at its time, an exact solution. sigma^2 grows by 2 k t.
template <int D>
struct Pulse {
  Advection<D> equation;
  Vec<D> centre, box;
  double sigma;

  Scalar operator()(const numerics::CellContext<D>& cell) const {
    const double width = std::sqrt(2 * (sigma * sigma + 2 * equation.diffusivity * cell.time));
    double u = 1;
    for (int a = 0; a < D; ++a) {
      double x = cell.centre[a] - centre[a] - cell.time * equation.velocity[a];
      x -= box[a] * std::round(x / box[a]);
      const double half = 0.5 * cell.dx[a];
      u *= sigma * std::sqrt(std::numbers::pi / 8) / half *
           (std::erf((x + half) / width) - std::erf((x - half) / width));
    }
    return {u};
  }
};

}  // namespace thalweg::advection
