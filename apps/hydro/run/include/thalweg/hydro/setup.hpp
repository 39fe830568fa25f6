// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <thalweg/app/read_setup.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::hydro {

/// What a deck asks for, checked.
template <int D, int N = 0>
using Setup = app::Setup<GasScheme<D, N>>;

/// Gas dynamics on an adaptive mesh, with N passive scalars.
template <int D, int N = 0>
using Simulation = app::Simulation<GasScheme<D, N>>;

/// Translate a deck with hydro.scalars = N.
/// @errors Error listing everything that does not go together
template <int D, int N = 0>
Setup<D, N> set_up(const io::Deck& deck);

extern template Setup<1, 0> set_up<1, 0>(const io::Deck&);
extern template Setup<1, 1> set_up<1, 1>(const io::Deck&);
extern template Setup<1, 2> set_up<1, 2>(const io::Deck&);
extern template Setup<2, 0> set_up<2, 0>(const io::Deck&);
extern template Setup<2, 1> set_up<2, 1>(const io::Deck&);
extern template Setup<2, 2> set_up<2, 2>(const io::Deck&);
extern template Setup<3, 0> set_up<3, 0>(const io::Deck&);
extern template Setup<3, 1> set_up<3, 1>(const io::Deck&);
extern template Setup<3, 2> set_up<3, 2>(const io::Deck&);

}  // namespace thalweg::hydro
