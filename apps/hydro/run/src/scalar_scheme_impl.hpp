// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro {

template <int D, int N, class Rule>
GasScheme<D, N> scalar_scheme_with(const io::Deck& deck, const ScalarGas<D, N>& gas) {
  using Hllc = RiemannWithScalars<numerics::RiemannHllc>;
  using TwoShock = RiemannWithScalars<RiemannTwoShock>;
  if constexpr (Rule::radius > 1)
    if (deck.string("hydro.scheme") == "ctu") {
      const numerics::ShockCare care{deck.boolean("hydro.flattening"),
                                     deck.real("hydro.viscosity")};
      if (deck.string("hydro.riemann") == "two_shock")
        return numerics::Ctu<ScalarGas<D, N>, Rule, TwoShock>{gas, care};
      return numerics::Ctu<ScalarGas<D, N>, Rule, Hllc>{gas, care};
    }
  if (const int order = runge_kutta_order(deck); order > 0)
    return numerics::RungeKutta<ScalarGas<D, N>, Rule, Hllc>{gas, order};
  return numerics::Scheme<ScalarGas<D, N>, Rule, Hllc>{gas};
}

template <int D, int N>
GasScheme<D, N> scalar_scheme(const io::Deck& deck) {
  const ScalarGas<D, N> gas{{.gamma = deck.real("problem.gamma")}};
  const std::string_view rule = deck.string("hydro.reconstruction");
  if (rule == "ppm") return scalar_scheme_with<D, N, numerics::PpmExtrema>(deck, gas);
  if (rule == "ppm_classic") return scalar_scheme_with<D, N, numerics::PpmClassic>(deck, gas);
  return scalar_scheme_with<D, N, numerics::PlmVanLeer>(deck, gas);
}

}  // namespace thalweg::hydro
