// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/conservation_law.hpp>

namespace thalweg::shallow_water {

using Cell = numerics::CellContext<2>;

/// What is stored: the surface in place of the depth, so that a lake at rest is uniform.
struct State {
  double surface;  ///< height of the water's surface; of the bed where there is no water
  Vec<2> mom;      ///< depth times velocity
  double bed;      ///< height of the bed, kept

  double depth() const { return std::max(surface - bed, 0.0); }
};

/// What is reconstructed.
struct Primitive {
  double surface;
  Vec<2> vel;
  double bed;

  double depth() const { return std::max(surface - bed, 0.0); }
};

/// The shallow-water equations over a bed of height b, h the depth:
///     d_t h + div (h v) = 0,    d_t (h v) + div (h v v) + grad (g h^2 / 2) = -g h grad b
///
/// Well balanced: at a face both sides get one bed (meet), and bed_rate is the pressure of the water
/// in a cell on these beds, so that nothing moves where the surface is level. Dry cells have depth 0.
/// Momentum is exchanged with the bed, and so not refluxed.
/// @source Audusse et al., SIAM J. Sci. Comput. 25 (2004) 2050, with the mean bed where both sides
///         are wet above it; Kurganov and Petrova, Commun. Math. Sci. 5 (2007) 133, eq. 2.17 (velocity)
struct ShallowWater : numerics::ConservationLaw<ShallowWater, 2, State> {
  static constexpr int n_kept = 1, n_refluxed = 1;
  using Primitive = shallow_water::Primitive;

  double g = 9.81;
  double dry = 1e-4;  ///< depth below which velocities fade out

  Primitive to_primitive(State u) const {
    const double h2 = u.depth() * u.depth(), d2 = dry * dry;
    const double per_depth =
        std::numbers::sqrt2 * u.depth() / std::sqrt(h2 * h2 + std::max(h2 * h2, d2 * d2));
    return {u.surface, per_depth * u.mom, u.bed};
  }
  State to_conserved(Primitive w) const { return {w.surface, w.depth() * w.vel, w.bed}; }
  State flux(Primitive w, int axis) const {
    const double mass = w.depth() * w.vel[axis];
    return {mass, mass * w.vel + (0.5 * g * w.depth() * w.depth()) * Vec<2>::unit(axis), 0};
  }
  numerics::Speeds speeds(Primitive w, int axis) const {
    const double c = std::sqrt(g * w.depth());
    return {w.vel[axis] - c, w.vel[axis] + c};
  }
  double max_speed(Primitive w, int axis) const {
    return std::abs(w.vel[axis]) + std::sqrt(g * w.depth());
  }
  /// A front runs into a dry bed with twice the speed of waves. @source Toro (2001), sec. 6.3
  numerics::Speeds riemann_speeds(Primitive l, Primitive r, int axis) const {
    const double c_l = std::sqrt(g * l.depth()), c_r = std::sqrt(g * r.depth());
    const double lo = std::min(l.vel[axis] - c_l, r.vel[axis] - (c_l > 0 ? c_r : 2 * c_r));
    const double hi = std::max(r.vel[axis] + c_r, l.vel[axis] + (c_r > 0 ? c_l : 2 * c_l));
    return {lo, hi};
  }
  /// The bed at a face: the mean of both sides', if both are wet by a step above the higher one,
  /// and without a jump the higher one, if a side is dry.
  static double bed_between(double surface_l, double bed_l, double surface_r, double bed_r) {
    const double top = std::max(bed_l, bed_r), step = std::abs(bed_l - bed_r);
    const double above = std::min(surface_l, surface_r) - top;
    return top - 0.5 * std::clamp(above, 0.0, step);
  }
  void meet(Primitive& l, Primitive& r) const {
    l.bed = r.bed = bed_between(l.surface, l.bed, r.surface, r.bed);
    l.surface = std::max(l.surface, l.bed);
    r.surface = std::max(r.surface, r.bed);
  }
  /// How the slope of the bed changes the momentum of a cell.
  State bed_rate(const Cell& cell, const numerics::StateStencil<State, 2>& u) const {
    State rate{};
    for (int a = 0; a < 2; ++a) {
      const auto pressure = [&](const State& other) {
        const double bed = bed_between(u().surface, u().bed, other.surface, other.bed);
        const double h = std::max(u().surface - bed, 0.0);
        return 0.5 * g * h * h;
      };
      rate.mom[a] = (pressure(u(a, 1)) - pressure(u(a, -1))) / cell.dx[a];
    }
    return rate;
  }
  bool admissible(State u) const { return u.surface - u.bed > -1e-3 * dry && u.mom == u.mom; }
  bool retains(State u, Primitive) const { return u.surface >= u.bed; }
  State mirror(State u, int axis) const {
    u.mom[axis] = -u.mom[axis];
    return u;
  }
};

/// The state of water with this surface and velocity over a bed.
inline State water(double surface, Vec<2> velocity, double bed) {
  return {std::max(surface, bed), std::max(surface - bed, 0.0) * velocity, bed};
}

}  // namespace thalweg::shallow_water
