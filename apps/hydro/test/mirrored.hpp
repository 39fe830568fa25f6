// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro::test {

/// A state with the other direction along an axis.
template <int D>
GasPrimitive<D> mirrored(GasPrimitive<D> w, int axis) {
  w.vel[axis] = -w.vel[axis];
  return w;
}

/// Expect that a solver sees a mirrored problem mirrored to the bit: what passes the face goes the
/// other way, what presses on it does not.
template <class Riemann, int D, class Eos>
void expect_mirrored_flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                          const GasPrimitive<D>& r, int axis) {
  const GasState<D> f = Riemann::flux(gas, l, r, axis);
  GasState<D> g = Riemann::flux(gas, mirrored(r, axis), mirrored(l, axis), axis);
  g = {-g.rho, -1.0 * g.mom, -g.energy};
  g.mom[axis] = -g.mom[axis];
  EXPECT_EQ(f, g);
}

}  // namespace thalweg::hydro::test
