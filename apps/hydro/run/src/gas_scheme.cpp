// SPDX-License-Identifier: MIT
#include <thalweg/hydro/gas_scheme.hpp>

#include <fmt/format.h>

namespace thalweg::hydro {

std::vector<std::string> scheme_errors(const io::Deck& deck) {
  std::vector<std::string> errors;
  const std::string& riemann = deck.string("hydro.riemann");
  if (deck.integer("hydro.scalars") > 0 && riemann != "hllc" && riemann != "two_shock")
    errors.push_back(fmt::format(
        "hydro.riemann = '{}' with hydro.scalars = {} (the program has passive scalars with 'hllc' "
        "and 'two_shock' only); give one of those, or carry none",
        riemann, deck.integer("hydro.scalars")));
  if (deck.string("hydro.scheme") == "ctu") {
    if (deck.string("hydro.reconstruction") == "plm")
      errors.push_back(
          "hydro.reconstruction = 'plm' (the scheme 'ctu' traces parabolas); give 'ppm' or "
          "'ppm_classic'");
    return errors;
  }
  if (deck.string("hydro.riemann") == "two_shock")
    errors.push_back(
        "hydro.riemann = 'two_shock' (the scheme 'vl2' stays positive with 'hllc'); give that, or "
        "hydro.scheme = 'ctu'");
  if (deck.real("time.cfl") > 0.5)
    errors.push_back(
        fmt::format("time.cfl = {} (the scheme 'vl2' is stable up to 1/2); lower it, or give "
                    "hydro.scheme = 'ctu'",
                    deck.real("time.cfl")));
  return errors;
}

std::string scheme_name(const io::Deck& deck) {
  return fmt::format("euler {} {} {}", deck.string("hydro.scheme"),
                     deck.string("hydro.reconstruction"), deck.string("hydro.riemann"));
}

}  // namespace thalweg::hydro
