// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/problem.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::hydro {

template <int D>
using GasScheme = numerics::Scheme<Euler<D>>;

/// How steps are made, as checkpoints say it: a run does not go on with another scheme.
inline constexpr auto scheme_name = "euler vl2 plm_van_leer hllc";

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
