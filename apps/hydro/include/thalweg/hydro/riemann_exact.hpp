// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_solution.hpp>

namespace thalweg::hydro {

/// Godunov's flux: that of the exact solution at the face, a vacuum included; and that solution.
///
/// Iterative and with powers, so it is not vectorised and takes some thirty times as long as HLLC:
/// for what others are measured against. Of other than a ShiftedGammaLaw no such solution is here.
/// @threads safe
/// @source Godunov (1959); Toro (2009), sec. 6.2; verified riemann_exact_test.cpp
struct RiemannExact {
  template <int D, ShiftedGammaLaw Eos>
  static GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                          const GasPrimitive<D>& r, int axis) {
    return gas.flux(face(gas, l, r, axis), axis);
  }
  template <int D, ShiftedGammaLaw Eos>
  static GasPrimitive<D> face(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                              const GasPrimitive<D>& r, int axis) {
    const auto along = [axis](const GasPrimitive<D>& w) {
      return RiemannSolution::State{w.rho, {{w.vel[axis]}}, w.p};
    };
    const RiemannSolution fan(gas.eos, along(l), along(r));
    const auto at_face = fan.at(0.0);
    // All but density, normal velocity and pressure moves with the contact.
    GasPrimitive<D> w = fan.star_velocity() >= 0 ? l : r;
    w.rho = at_face.rho;
    w.vel[axis] = at_face.vel[0];
    w.p = at_face.p;
    return w;
  }
};

}  // namespace thalweg::hydro
