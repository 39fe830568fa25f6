// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <type_traits>
#include <vector>

#include <thalweg/hydro/deck_gas.hpp>
#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/numerics/any_scheme.hpp>

namespace thalweg::hydro {

/// Passive scalars that a deck may ask for, at most: schemes are compiled for each number of them.
inline constexpr int max_scalars = 2;

/// The equations of a gas with N passive scalars.
template <int D, int N>
using GasSystem = std::conditional_t<N == 0, Gas<D>, ScalarGas<D, N, DeckEos>>;

/// What advances the gas and N passive scalars, chosen by the deck. Kernels of a gas without
/// scalars are compiled for the equation of state itself, GammaLaw or StiffenedGas.
template <int D, int N = 0>
using GasScheme = numerics::AnyScheme<GasSystem<D, N>>;

/// What does not go together in a deck's section "hydro"; empty if all is well.
std::vector<std::string> scheme_errors(const io::Deck& deck);

/// The scheme of a deck's section "hydro", for a gas with N passive scalars. Compiled for 1, 2 and
/// 3 dimensions and up to max_scalars: run/CMakeLists.txt lists them.
/// @pre scheme_errors(deck) is empty
template <int D, int N = 0>
GasScheme<D, N> gas_scheme(const io::Deck& deck);

/// The order of a deck's Runge-Kutta method; 0 for other schemes.
int runge_kutta_order(const io::Deck& deck);

/// How steps are made, as checkpoints say it: a run does not go on with another scheme.
std::string scheme_name(const io::Deck& deck);

}  // namespace thalweg::hydro
