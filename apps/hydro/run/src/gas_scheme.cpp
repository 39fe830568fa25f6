// SPDX-License-Identifier: MIT
#include <thalweg/hydro/gas_scheme.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace thalweg::hydro {

namespace {

/// The scheme that the others give way to, with what it needs.
std::string ctu_with(std::string_view reconstruction) {
  return std::string("hydro.scheme = 'ctu'") +
         (reconstruction == "plm" ? " with hydro.reconstruction = 'ppm'" : "");
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
    return errors;
  }
  if (deck.string("hydro.riemann") == "two_shock")
    errors.push_back(fmt::format(
        "hydro.riemann = 'two_shock' (the scheme '{}' stays positive with 'hllc'); give that, or "
        "{}",
        scheme, ctu_with(deck.string("hydro.reconstruction"))));
  // The predictor of vl2 is stable up to 1/2 in any dimension but one, Euler steps up to 1/D.
  const auto dim = deck.integer("mesh.dim");
  const auto n_parts = scheme == "vl2" ? std::min<std::int64_t>(dim, 2) : dim;
  if (deck.real("time.cfl") > 1.0 / static_cast<double>(n_parts))
    errors.push_back(fmt::format(
        "time.cfl = {} (the scheme '{}' is stable up to 1/{}); lower it, or give {}",
        deck.real("time.cfl"), scheme, n_parts, ctu_with(deck.string("hydro.reconstruction"))));
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
