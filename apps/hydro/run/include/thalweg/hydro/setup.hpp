// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/problem.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::hydro {

/// What a deck asks for, checked.
template <int D>
struct Setup {
  app::Problem<GasScheme<D>> problem;
  app::Settings<D> settings;
};

/// Translate a deck. @errors Error listing everything that does not go together
template <int D>
Setup<D> set_up(const io::Deck& deck);

extern template Setup<1> set_up<1>(const io::Deck&);
extern template Setup<2> set_up<2>(const io::Deck&);
extern template Setup<3> set_up<3>(const io::Deck&);

}  // namespace thalweg::hydro
