// SPDX-License-Identifier: MIT
#include <thalweg/hydro/gas_scheme.hpp>

#include <fmt/format.h>

namespace thalweg::hydro {

std::vector<std::string> scheme_errors(const io::Deck& deck) {
  std::vector<std::string> errors;
  const std::string& method = deck.string("hydro.scheme");
  const std::string& riemann = deck.string("hydro.riemann");
  // What scalar_scheme() knows, whatever else there is without scalars.
  const bool knows_scalars =
      (method == "vl2" || method == "ctu") && (riemann == "hllc" || riemann == "two_shock");
  if (deck.integer("hydro.scalars") > 0 && !knows_scalars)
    errors.push_back(fmt::format(
        "hydro.riemann = '{}' with hydro.scheme = '{}' and hydro.scalars = {} (the program has "
        "passive scalars with 'vl2' and 'ctu', and 'hllc' and 'two_shock', only); give those, or "
        "carry none",
        riemann, method, deck.integer("hydro.scalars")));
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
