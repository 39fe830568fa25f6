// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::exchange::testing {

/// Two positive amounts that a uniform stream carries along: the smallest system with two
/// components.
template <int D>
struct Tracers {
  static constexpr int dim = D;
  static constexpr int n_components = 2;
  struct State {
    double a;
    double b;
  };
  using Primitive = State;

  Vec<D> velocity = Vec<D>::filled(1.0);

  Primitive to_primitive(State u) const { return u; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int axis) const { return {velocity[axis] * w.a, velocity[axis] * w.b}; }
  numerics::Speeds riemann_speeds(Primitive, Primitive, int axis) const {
    return {velocity[axis], velocity[axis]};
  }
  double max_speed(Primitive, int axis) const { return std::abs(velocity[axis]); }
  bool admissible(State u) const { return u.a > 0 && u.b > 0; }
  bool passes_floor(State u, Primitive w) const { return u.a > 1e-3 * w.a && u.b > 1e-3 * w.b; }
  State mirror(State u, int axis) const { return {(axis + 2) * u.a, u.b}; }  // shows its axis
};

template <int D>
using TracerScheme = numerics::Vl2<Tracers<D>, numerics::PlmVanLeer, numerics::RiemannHlle>;

}  // namespace thalweg::exchange::testing
