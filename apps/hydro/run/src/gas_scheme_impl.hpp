// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro {

template <int D, class Rule>
GasScheme<D> ctu_scheme(const io::Deck& deck, const Euler<D>& gas) {
  const numerics::ShockCare care{deck.boolean("hydro.flattening"), deck.real("hydro.viscosity")};
  if (deck.string("hydro.riemann") == "two_shock")
    return numerics::Ctu<Euler<D>, Rule, RiemannTwoShock>{gas, care};
  return numerics::Ctu<Euler<D>, Rule, numerics::RiemannHllc>{gas, care};
}

template <int D>
GasScheme<D> gas_scheme(const io::Deck& deck) {
  const Euler<D> gas{.gamma = deck.real("problem.gamma")};
  const bool is_ctu = deck.string("hydro.scheme") == "ctu";
  const std::string_view rule = deck.string("hydro.reconstruction");
  if (rule == "ppm") {
    if (is_ctu) return ctu_scheme<D, numerics::PpmExtrema>(deck, gas);
    return numerics::Scheme<Euler<D>, numerics::PpmExtrema>{gas};
  }
  if (rule == "ppm_classic") {
    if (is_ctu) return ctu_scheme<D, numerics::PpmClassic>(deck, gas);
    return numerics::Scheme<Euler<D>, numerics::PpmClassic>{gas};
  }
  return numerics::Scheme<Euler<D>, numerics::PlmVanLeer>{gas};
}

}  // namespace thalweg::hydro
