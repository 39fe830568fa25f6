// SPDX-License-Identifier: MIT
#include <thalweg/hydro/deck_gas.hpp>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>

namespace thalweg::hydro {

bool is_ideal(const io::Deck& deck) {
  return deck.string("hydro.eos") == "gamma_law";
}

DeckEos eos_of(const io::Deck& deck) {
  THALWEG_EXPECT(is_ideal(deck) || deck.string("hydro.eos") == "stiffened", "a word of hydro.eos");
  return {.gamma = deck.real("problem.gamma"),
          .p_infinity = is_ideal(deck) ? 0.0 : deck.real("hydro.p_infinity")};
}

std::vector<std::string> eos_errors(const io::Deck& deck) {
  if (!is_ideal(deck) || deck.real("hydro.p_infinity") == 0) return {};
  return {fmt::format(
      "hydro.p_infinity = {} (hydro.eos = 'gamma_law' has none); leave it out, or give 'stiffened'",
      deck.real("hydro.p_infinity"))};
}

}  // namespace thalweg::hydro
