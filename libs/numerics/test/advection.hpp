// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::test {

/// d_t q + v . grad q = 0 with q > 0: the smallest system there is, with a known solution.
template <int D>
struct Advection {
  static constexpr int dim = D;
  static constexpr int n_components = 1;
  struct State {
    double q;
  };
  using Primitive = State;

  Vec<D> velocity = Vec<D>::filled(1.0);

  Primitive to_primitive(State u) const { return u; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int axis) const { return {velocity[axis] * w.q}; }
  Speeds riemann_speeds(Primitive, Primitive, int axis) const {
    return {velocity[axis], velocity[axis]};
  }
  static constexpr int n_waves = 1;
  double wave_speed(Primitive, int, int axis) const { return velocity[axis]; }
  Primitive wave_part(Primitive, Primitive dw, int, int) const { return dw; }
  double max_speed(Primitive, int axis) const { return std::abs(velocity[axis]); }
  bool admissible(State u) const { return u.q > 0; }
  bool passes_floor(State u, Primitive reference) const { return u.q > 1e-3 * reference.q; }
  State mirror(State u, int) const { return {2.0 * u.q}; }  // shows in tests that it was called
};

static_assert(HyperbolicSystem<Advection<1>> && HyperbolicSystem<Advection<3>>);
static_assert(!ContactSystem<Advection<1>>);
static_assert(CharacteristicSystem<Advection<3>> && !ShockSystem<Advection<3>>);

}  // namespace thalweg::numerics::test
