// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/numerics/any_scheme.hpp>

namespace thalweg::hydro {

/// What advances the gas, chosen by the deck.
template <int D>
using GasScheme = numerics::AnyScheme<Euler<D>>;

/// What does not go together in a deck's section "hydro"; empty if all is well.
std::vector<std::string> scheme_errors(const io::Deck& deck);

/// The scheme of a deck's section "hydro".
/// @pre scheme_errors(deck) is empty
template <int D>
GasScheme<D> gas_scheme(const io::Deck& deck);

/// How steps are made, as checkpoints say it: a run does not go on with another scheme.
std::string scheme_name(const io::Deck& deck);

// The kernels are compiled in gas_scheme_*d.cpp.
extern template GasScheme<1> gas_scheme<1>(const io::Deck&);
extern template GasScheme<2> gas_scheme<2>(const io::Deck&);
extern template GasScheme<3> gas_scheme<3>(const io::Deck&);

}  // namespace thalweg::hydro
