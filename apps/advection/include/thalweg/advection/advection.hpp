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

/// erf((x + half) / width) - erf((x - half) / width), of all periodic images of x together.
inline double erf_across(double x, double half, double width, double period) {
  const auto at = [&](double y) {
    return std::erf((y + half) / width) - std::erf((y - half) / width);
  };
  if (period <= 0) return at(x);
  if (width > 2 * period) return 4 * half / period;  // the same everywhere but for roundings
  x -= period * std::round(x / period);
  double sum = at(x);
  // Images farther than six widths are less than roundings; in pairs, so that a mirror image has
  // the same bits.
  for (int n = 1; (n - 0.5) * period < 6 * width; ++n)
    sum += at(x + n * period) + at(x - n * period);
  return sum;
}

/// A Gaussian of height 1 that moves and spreads: the mean over a cell at its time, an exact
/// solution. sigma^2 grows by 2 k t. In a periodic box all its images count.
template <int D>
struct Pulse {
  Advection<D> equation;
  Vec<D> centre;
  Vec<D> period;  ///< widths of the box along axes with periodic sides; 0 along others
  double sigma;

  Scalar operator()(const numerics::CellContext<D>& cell) const {
    const double width = std::sqrt(2 * (sigma * sigma + 2 * equation.diffusivity * cell.time));
    double u = 1;
    for (int a = 0; a < D; ++a) {
      const double x = cell.centre[a] - centre[a] - cell.time * equation.velocity[a];
      u *= sigma * std::sqrt(std::numbers::pi / 8) / (0.5 * cell.dx[a]) *
           erf_across(x, 0.5 * cell.dx[a], width, period[a]);
    }
    return {u};
  }
};

}  // namespace thalweg::advection
