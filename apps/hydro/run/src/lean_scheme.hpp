// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro {

template <class Any, class Rule, class Hllc, class TwoShock, class System>
Any lean_scheme_with(const io::Deck& deck, const System& system) {
  if constexpr (Rule::radius > 1)
    if (deck.string("hydro.scheme") == "ctu") {
      const numerics::ShockCare care{deck.boolean("hydro.flattening"),
                                     deck.real("hydro.viscosity")};
      if (deck.string("hydro.riemann") == "two_shock")
        return numerics::Ctu<System, Rule, TwoShock>{system, care};
      return numerics::Ctu<System, Rule, Hllc>{system, care};
    }
  if (const int order = runge_kutta_order(deck); order > 0)
    return numerics::RungeKutta<System, Rule, Hllc>{system, order};
  return numerics::Scheme<System, Rule, Hllc>{system};
}

/// The scheme of a deck for equations that are compiled with two Riemann solvers only, to spare the
/// compiler: HLLC, and with Ctu the two-shock solver.
template <class Any, class Hllc, class TwoShock, class System>
Any lean_scheme(const io::Deck& deck, const System& system) {
  const std::string_view rule = deck.string("hydro.reconstruction");
  if (rule == "ppm")
    return lean_scheme_with<Any, numerics::PpmExtrema, Hllc, TwoShock>(deck, system);
  if (rule == "ppm_classic")
    return lean_scheme_with<Any, numerics::PpmClassic, Hllc, TwoShock>(deck, system);
  return lean_scheme_with<Any, numerics::PlmVanLeer, Hllc, TwoShock>(deck, system);
}

}  // namespace thalweg::hydro
