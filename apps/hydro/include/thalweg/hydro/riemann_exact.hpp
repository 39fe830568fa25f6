// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/exact_riemann.hpp>

namespace thalweg::hydro {

/// Godunov's flux: that of the exact solution at the face, a vacuum included.
///
/// Iterative and with powers, so it is not vectorised and takes some thirty times as long as HLLC:
/// for what others are measured against.
/// @threads safe
/// @source Godunov (1959); Toro (2009), sec. 6.2; verified riemann_exact_test.cpp
struct RiemannExact {
  template <int D>
  static typename Euler<D>::State flux(const Euler<D>& gas, const typename Euler<D>::Primitive& l,
                                       const typename Euler<D>::Primitive& r, int axis) {
    const auto along = [axis](const typename Euler<D>::Primitive& w) {
      return ExactRiemann::State{w.rho, {{w.vel[axis]}}, w.p};
    };
    const ExactRiemann fan({.gamma = gas.gamma}, along(l), along(r));
    const auto at_face = fan.at(0.0);
    // All but density, normal velocity and pressure moves with the contact.
    typename Euler<D>::Primitive w = fan.star_velocity() >= 0 ? l : r;
    w.rho = at_face.rho;
    w.vel[axis] = at_face.vel[0];
    w.p = at_face.p;
    return gas.flux(w, axis);
  }
};

}  // namespace thalweg::hydro
