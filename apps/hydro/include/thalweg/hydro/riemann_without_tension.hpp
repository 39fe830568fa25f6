// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The flux of a solver that takes a mean over the whole fan, where the mean would pull on the gas
/// with what it lacks to the least pressure there is.
///
/// Between the outer signals the mean moves with the contact v* of HLLC, and has its pressure p*.
/// It is below the least one, p_0, where gas is torn apart (Euler::star_flux says what comes of
/// that). There momentum gains p_0 - p*, and the energy the work of it, (p_0 - p*) v*: as much in
/// any frame, so that streams do not matter. Flux limiting has the mean as it is, whose states are
/// positive by proof.
/// @tparam Mean  numerics::RiemannHlle or RiemannLlf
/// @threads safe   @verified riemann_without_tension_test.cpp
template <class Mean>
struct RiemannWithoutTension {
  template <int D, class Eos>
  static constexpr GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                    const GasPrimitive<D>& r, int axis) {
    const auto [lo, hi] = gas.riemann_speeds(l, r, axis);
    const double contact = gas.contact_speed(l, r, {lo, hi}, axis);
    // From the side that the contact comes from, so that what is mirrored stays mirrored to the
    // bit.
    const bool is_left = contact >= 0;
    const double rho = is_left ? l.rho : r.rho, v = is_left ? l.vel[axis] : r.vel[axis];
    const double p = (is_left ? l.p : r.p) + rho * ((is_left ? lo : hi) - v) * (contact - v);
    const double lacks = std::max(gas.eos.least_pressure() - p, 0.0);
    const double push = std::min(-lo, hi) > 0 ? lacks : 0.0;
    GasState<D> f = Mean::flux(gas, l, r, axis);
    f.mom[axis] += push;
    f.energy += push * contact;
    return f;
  }
};

}  // namespace thalweg::hydro
