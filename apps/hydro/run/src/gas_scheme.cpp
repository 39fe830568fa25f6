// SPDX-License-Identifier: MIT
#include <thalweg/hydro/gas_scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::hydro {

namespace {

/// The scheme that the others give way to, with what it needs.
std::string ctu_with(std::string_view reconstruction) {
  return std::string("hydro.scheme = 'ctu'") +
         (reconstruction == "plm" ? " with hydro.reconstruction = 'ppm'" : "");
}

/// Up to which Courant number a scheme other than ctu is stable, and what else goes beyond.
struct Stability {
  double courant;
  std::string text;
  std::string remedy;
};

Stability stability(const io::Deck& deck) {
  const int dim = static_cast<int>(deck.integer("mesh.dim"));
  const int order = runge_kutta_order(deck);
  const std::string_view rule = deck.string("hydro.reconstruction");
  const bool has_lhllc = deck.string("hydro.riemann") == "lhllc";
  // Sound in gas at rest, which lhllc hardly damps, grew with parabolas and vl2 from 0.45 on in 3-D
  // and 0.8 in 1-D, and with rk2 from 0.5 on in 2-D and 0.6 in 1-D; with rk2, parabolas and hllc
  // from 0.9 on in 1-D.
  const bool is_damped = order == 3 || (!has_lhllc && (order == 0 || rule == "plm"));
  const double of_euler = numerics::runge_kutta_max_courant(dim);
  const double of_damped = order > 0 ? of_euler : numerics::vl2_max_courant(dim);
  const double courant =
      is_damped ? of_damped : std::min(of_damped, numerics::undamped_max_courant);
  const auto ctu = has_lhllc ? std::string() : ", or give " + ctu_with(rule);
  if (courant == of_damped) return {courant, fmt::format("{:.3g}", courant), ctu};
  const bool is_for_rk3 = deck.real("time.cfl") <= of_euler;
  return {courant,
          fmt::format("{} with '{}', which hardly damps short waves: beyond it they grow", courant,
                      has_lhllc ? "lhllc" : rule),
          is_for_rk3 ? ", or give hydro.scheme = 'rk3'" : ctu};
}

}  // namespace

std::vector<std::string> scheme_errors(const io::Deck& deck) {
  std::vector<std::string> errors = eos_errors(deck);
  const std::string_view scheme = deck.string("hydro.scheme");
  if (scheme == "ctu") {
    if (deck.string("hydro.reconstruction") == "plm")
      errors.push_back(
          "hydro.reconstruction = 'plm' (the scheme 'ctu' traces parabolas); give 'ppm' or "
          "'ppm_classic'");
    // It takes from each side of a face the waves alone that reach it, which the viscosity of the
    // pressure tells from the others: without, noise grows however short the steps are.
    if (deck.string("hydro.riemann") == "lhllc")
      errors.push_back(
          "hydro.riemann = 'lhllc' (the scheme 'ctu' is unstable with it at any time step); give "
          "'hllc', or hydro.scheme = 'rk3'");
    return errors;
  }
  if (deck.string("hydro.riemann") == "two_shock")
    errors.push_back(
        fmt::format("hydro.riemann = 'two_shock' (it goes with 'ctu' only, and the scheme is "
                    "'{}'); give 'hllc', "
                    "'lhllc', 'hlle', 'llf', 'roe' or 'exact', or {}",
                    scheme, ctu_with(deck.string("hydro.reconstruction"))));
  if (const auto [stable, text, remedy] = stability(deck); deck.real("time.cfl") > stable)
    errors.push_back(fmt::format("time.cfl = {} (the scheme '{}' is stable up to {}); lower it{}",
                                 deck.real("time.cfl"), scheme, text, remedy));
  return errors;
}

int runge_kutta_order(const io::Deck& deck) {
  const std::string_view name = deck.string("hydro.scheme");
  return name == "rk2" ? 2 : name == "rk3" ? 3 : 0;
}

std::string scheme_name(const io::Deck& deck) {
  return fmt::format("euler {} {} {}{}{}", deck.string("hydro.scheme"),
                     deck.string("hydro.reconstruction"), deck.string("hydro.riemann"),
                     deck.boolean("hydro.balanced") ? " balanced" : "",
                     deck.boolean("hydro.bounded_scalars") ? " bounded" : "");
}

}  // namespace thalweg::hydro
