// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/riemann_two_shock.hpp>

#include "lean_scheme.hpp"

namespace thalweg::hydro {

template <int D, int N>
GasScheme<D, N> scalar_scheme(const io::Deck& deck) {
  using Hllc = RiemannWithScalars<numerics::RiemannHllc>;
  using TwoShock = RiemannWithScalars<RiemannTwoShock>;
  const ScalarGas<D, N> ideal{{.eos = {.gamma = eos_of(deck).gamma}}};
  return lean_scheme<GasScheme<D, N>, Hllc, TwoShock>(deck, ideal);
}

}  // namespace thalweg::hydro
