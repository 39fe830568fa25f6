// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/conservation_law.hpp>

namespace thalweg::shallow_water {

using Cell = numerics::CellContext<2>;

/// Water over a bed: the height of its surface, of the bed where it is dry, in place of the depth,
/// so that a lake at rest is uniform; the height of the bed, a coefficient.
struct State {
  double surface;
  Vec<2> mom;  ///< depth times velocity; of a primitive state the velocity
  double bed;

  constexpr double depth() const { return std::max(surface - bed, 0.0); }
};

/// The shallow-water equations over a bed of height b, h the depth:
///     d_t h + div (h v) = 0,    d_t (h v) + div (h v v) + grad (g h^2 / 2) = -g h grad b
///
/// Well balanced: at a face both sides get one bed (meet), and bed_rate is the pressure of the
/// water in a cell on these beds, so that nothing moves where the surface is level. Momentum is
/// exchanged with the bed, and so not refluxed.
/// @source Audusse et al., SIAM J. Sci. Comput. 25 (2004) 2050, with the mean bed where both sides
///         are wet above it; Kurganov and Petrova, Commun. Math. Sci. 5 (2007) 133, eq. 2.17
///         (velocity)
struct ShallowWater : numerics::ConservationLaw<ShallowWater, 2, State> {
  static constexpr int n_coefficients = 1, n_refluxed = 1;
  static constexpr std::string_view admissible_states = "a depth of at least 0";

  double g = 9.81;
  double dry = 1e-4;  ///< depth below which velocities fade out

  constexpr State to_primitive(State u) const {
    const double h = u.depth(), h4 = h * h * h * h, least = std::max(h4, dry * dry * dry * dry);
    return {u.surface, (std::numbers::sqrt2 * h / std::sqrt(h4 + least)) * u.mom, u.bed};
  }
  constexpr State to_conserved(State w) const { return {w.surface, w.depth() * w.mom, w.bed}; }
  constexpr State flux(State w, int axis) const {
    const double mass = w.depth() * w.mom[axis];
    return {mass, mass * w.mom + (0.5 * g * w.depth() * w.depth()) * Vec<2>::unit(axis), 0};
  }
  /// A front runs into a dry bed with twice the speed of waves. @source Toro (2001), sec. 6.3
  constexpr numerics::Speeds riemann_speeds(State l, State r, int axis) const {
    const double c_l = std::sqrt(g * l.depth()), c_r = std::sqrt(g * r.depth());
    return {std::min(l.mom[axis] - c_l, r.mom[axis] - (c_l > 0 ? c_r : 2 * c_r)),
            std::max(r.mom[axis] + c_r, l.mom[axis] + (c_r > 0 ? c_l : 2 * c_l))};
  }
  /// The bed at a face: the mean of both sides', if both are wet by a step above the higher one,
  /// and without a jump the higher one, if a side is dry.
  static constexpr double bed_between(const State& l, const State& r) {
    const double top = std::max(l.bed, r.bed), step = std::abs(l.bed - r.bed);
    return top - 0.5 * std::clamp(std::min(l.surface, r.surface) - top, 0.0, step);
  }
  constexpr void meet(State& l, State& r) const {
    l.bed = r.bed = bed_between(l, r);
    l.surface = std::max(l.surface, l.bed);
    r.surface = std::max(r.surface, r.bed);
  }
  /// How the slope of the bed changes the momentum of a cell.
  constexpr State bed_rate(const Cell& cell, const numerics::StateStencil<State, 2>& u) const {
    const auto pressure = [&](const State& other) {
      const double h = std::max(u().surface - bed_between(u(), other), 0.0);
      return 0.5 * g * (h * h);
    };
    State rate{};
    for (int a = 0; a < 2; ++a) rate.mom[a] = (pressure(u(a, 1)) - pressure(u(a, -1))) / cell.dx[a];
    return rate;
  }
  /// What a new cell is over its own bed, from what the coarser level gave it: the surface stays,
  /// and dry land stays dry. Water that gets shallower keeps its velocity.
  constexpr State over(double bed, State u) const {
    const double was = u.depth(), surface = was > dry ? std::max(u.surface, bed) : bed;
    const double is = surface - bed;
    return {surface, (is > 0 ? std::min(is / was, 1.0) : 0.0) * u.mom, bed};
  }
  /// A cell whose depth the fluxes of a finer level change keeps its velocity, not its momentum.
  constexpr State after_reflux(State before, State after) const {
    return to_conserved({after.surface, to_primitive(before).mom, after.bed});
  }
  constexpr bool admissible(State u) const {
    return u.surface - u.bed > -1e-3 * dry && u.mom == u.mom;
  }
  constexpr bool passes_floor(State u, State) const { return u.surface >= u.bed; }
};

/// The state of water with this surface and velocity over a bed.
inline State water(double surface, Vec<2> velocity, double bed) {
  return {std::max(surface, bed), std::max(surface - bed, 0.0) * velocity, bed};
}

}  // namespace thalweg::shallow_water
