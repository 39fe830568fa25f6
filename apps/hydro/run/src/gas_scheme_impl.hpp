// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/riemann_exact.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro {

/// What `make` makes with the Riemann solver that a deck asks for: make(Solver{}).
template <class Make>
auto with_riemann(const io::Deck& deck, const Make& make) {
  const std::string_view name = deck.string("hydro.riemann");
  if (name == "hlle") return make(numerics::RiemannHlle{});
  if (name == "llf") return make(numerics::RiemannLlf{});
  if (name == "roe") return make(numerics::RiemannRoe{});
  if (name == "exact") return make(RiemannExact{});
  return make(numerics::RiemannHllc{});
}

/// The scheme of a deck with this rule of reconstruction.
template <class Rule, int D>
GasScheme<D> scheme_with(const io::Deck& deck, const Euler<D>& gas) {
  if constexpr (Rule::radius > 1)
    if (deck.string("hydro.scheme") == "ctu") {
      const numerics::ShockCare care{deck.boolean("hydro.flattening"),
                                     deck.real("hydro.viscosity")};
      if (deck.string("hydro.riemann") == "two_shock")
        return numerics::Ctu<Euler<D>, Rule, RiemannTwoShock>{gas, care};
      return with_riemann(deck, [&]<class Riemann>(Riemann) -> GasScheme<D> {
        return numerics::Ctu<Euler<D>, Rule, Riemann>{gas, care};
      });
    }
  if (const int order = runge_kutta_order(deck); order > 0)
    return with_riemann(deck, [&]<class Riemann>(Riemann) -> GasScheme<D> {
      return numerics::RungeKutta<Euler<D>, Rule, Riemann>{gas, order};
    });
  return with_riemann(deck, [&]<class Riemann>(Riemann) -> GasScheme<D> {
    return numerics::Scheme<Euler<D>, Rule, Riemann>{gas};
  });
}

template <int D>
GasScheme<D> gas_scheme(const io::Deck& deck) {
  if (!is_ideal(deck)) return stiffened_scheme<D>(deck);
  const Euler<D> gas{.eos = {.gamma = eos_of(deck).gamma}};
  const std::string_view rule = deck.string("hydro.reconstruction");
  if (rule == "ppm") return scheme_with<numerics::PpmExtrema>(deck, gas);
  if (rule == "ppm_classic") return scheme_with<numerics::PpmClassic>(deck, gas);
  return scheme_with<numerics::PlmVanLeer>(deck, gas);
}

}  // namespace thalweg::hydro
