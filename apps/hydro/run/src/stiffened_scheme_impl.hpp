// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/riemann_two_shock.hpp>

#include "lean_scheme.hpp"

namespace thalweg::hydro {

template <int D>
GasScheme<D> stiffened_scheme(const io::Deck& deck) {
  return lean_scheme<GasScheme<D>, numerics::RiemannHllc, RiemannTwoShock>(
      deck, Euler<D, StiffenedGas>{eos_of(deck)});
}

}  // namespace thalweg::hydro
