// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The flux of a solver that takes a mean over the whole fan, where the mean would pull on the gas
/// with what it lacks to the least pressure there is: Euler::star_flux says what comes of that.
///
/// Flux limiting has the mean as it is, whose states are positive by proof, as long as steps are
/// short enough for the proof (numerics/detail/limit_flux.hpp).
/// @tparam Mean  numerics::RiemannHlle or RiemannLlf
/// @threads safe   @verified riemann_without_tension_test.cpp
template <class Mean>
struct RiemannWithoutTension {
  template <int D, class Eos>
  static constexpr GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                    const GasPrimitive<D>& r, int axis) {
    return gas.without_tension(Mean::flux(gas, l, r, axis), l, r, axis);
  }
};

}  // namespace thalweg::hydro
