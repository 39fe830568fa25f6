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

/// Call f.operator()<D, N>() with the deck's numbers of axes and of passive scalars.
template <class F>
auto with_dimensions(const io::Deck& deck, F f) {
  const auto with_scalars = [&]<int D>(std::integral_constant<int, D>) {
    switch (deck.integer("hydro.scalars")) {
      case 0:
        return f.template operator()<D, 0>();
      case 1:
        return f.template operator()<D, 1>();
      default:
        return f.template operator()<D, 2>();
    }
  };
  switch (deck.integer("mesh.dim")) {
    case 1:
      return with_scalars(std::integral_constant<int, 1>{});
    case 2:
      return with_scalars(std::integral_constant<int, 2>{});
    default:
      return with_scalars(std::integral_constant<int, 3>{});
  }
}
static_assert(max_scalars == 2);  // with_dimensions knows

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
