// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::hydro {

/// The equation of state of a deck: one of which all that hydro.eos names are cases, so that what
/// is no kernel is compiled once.
using DeckEos = StiffenedGas;

/// The gas of a deck.
template <int D>
using Gas = Euler<D, DeckEos>;

/// The gas in its equations.
template <int D>
const Gas<D>& gas_of(const Gas<D>& system) {
  return system;
}
template <int D, int N>
const Gas<D>& gas_of(const ScalarGas<D, N, DeckEos>& system) {
  return system.gas;
}

/// What a deck says of the equation of state. @pre eos_errors(deck) is empty
DeckEos eos_of(const io::Deck& deck);

/// The gravity of a deck that schemes balance with the pressure, as hydro.balanced asks; else 0.
template <int D>
Vec<D> balanced_gravity(const io::Deck& deck) {
  Vec<D> gravity{};
  if (!deck.boolean("hydro.balanced")) return gravity;
  const auto& along = deck.reals("source.gravity");
  for (int a = 0; a < std::min(D, static_cast<int>(along.size())); ++a)
    gravity[a] = along[static_cast<std::size_t>(a)];
  return gravity;
}

/// Say whether a deck has an ideal gas.
bool is_ideal(const io::Deck& deck);

/// What does not go together in what a deck says of the equation of state; empty if all is well.
std::vector<std::string> eos_errors(const io::Deck& deck);

}  // namespace thalweg::hydro
