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

/// What advances the gas and N passive scalars, chosen by the deck. Kernels are compiled for the
/// equation of state itself, GammaLaw or StiffenedGas.
template <int D, int N = 0>
using GasScheme = numerics::AnyScheme<GasSystem<D, N>>;

/// What does not go together in a deck's section "hydro"; empty if all is well.
std::vector<std::string> scheme_errors(const io::Deck& deck);

/// The scheme of a deck's section "hydro".
/// @pre scheme_errors(deck) is empty
template <int D>
GasScheme<D> gas_scheme(const io::Deck& deck);

/// The same with hydro.eos = "stiffened".
template <int D>
GasScheme<D> stiffened_scheme(const io::Deck& deck);

/// The same with N > 0 passive scalars.
template <int D, int N>
GasScheme<D, N> scalar_scheme(const io::Deck& deck);

/// The order of a deck's Runge-Kutta method; 0 for other schemes.
int runge_kutta_order(const io::Deck& deck);

/// How steps are made, as checkpoints say it: a run does not go on with another scheme.
std::string scheme_name(const io::Deck& deck);

// The kernels are compiled in gas_scheme_*d.cpp, stiffened_scheme_*d.cpp and scalar_scheme_*d.cpp.
extern template GasScheme<1> gas_scheme<1>(const io::Deck&);
extern template GasScheme<2> gas_scheme<2>(const io::Deck&);
extern template GasScheme<3> gas_scheme<3>(const io::Deck&);
extern template GasScheme<1> stiffened_scheme<1>(const io::Deck&);
extern template GasScheme<2> stiffened_scheme<2>(const io::Deck&);
extern template GasScheme<3> stiffened_scheme<3>(const io::Deck&);
extern template GasScheme<1, 1> scalar_scheme<1, 1>(const io::Deck&);
extern template GasScheme<1, 2> scalar_scheme<1, 2>(const io::Deck&);
extern template GasScheme<2, 1> scalar_scheme<2, 1>(const io::Deck&);
extern template GasScheme<2, 2> scalar_scheme<2, 2>(const io::Deck&);
extern template GasScheme<3, 1> scalar_scheme<3, 1>(const io::Deck&);
extern template GasScheme<3, 2> scalar_scheme<3, 2>(const io::Deck&);

}  // namespace thalweg::hydro
