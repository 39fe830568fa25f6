// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

namespace detail {
template <class Law, int D, class State>
void is_of_conservation_law(State (ConservationLaw<Law, D, State>::*)(State, int) const);
}

/// A system whose mirror is that of ConservationLaw.
template <class S>
concept MirrorsMomentumAlone =
    WalledSystem<S> && requires { detail::is_of_conservation_law(&S::mirror); };

/// A component that flows through a wall although nothing may, as a second momentum does of which
/// the mirror knows nothing; none where there is none.
///
/// Between a state and its image the fluxes of what the mirror leaves as it is are opposite, and of
/// what it turns the same, but for rounding of the largest flux. Two made-up states are tried, if
/// they are admissible.
/// @verified wall_leak_test.cpp
template <MirrorsMomentumAlone System>
std::optional<std::size_t> leak_through_walls(const System& system, int axis) {
  using State = typename System::State;
  constexpr std::size_t n = System::n_components;
  for (const bool rises : {true, false}) {
    auto u = make_state<State>(
        [&](std::size_t c) { return 1 + static_cast<double>(rises ? c : n - 1 - c) / 8; });
    for (int a = 0; a < System::dim; ++a) u.mom[a] /= 8;  // little of an energy, if there is one
    const State image = system.mirror(u, axis);
    if (!system.admissible(u) || !system.admissible(image)) continue;
    const State inside = system.flux(system.to_primitive(u), axis);
    const State outside = system.flux(system.to_primitive(image), axis);
    constexpr std::size_t n_flowing = n - n_coefficients_of<System>;
    double largest = 0;
    for (std::size_t c = 0; c < n_flowing; ++c)
      largest =
          std::max({largest, std::abs(component(inside, c)), std::abs(component(outside, c))});
    for (std::size_t c = 0; c < n_flowing; ++c) {
      const double sign = component(image, c) == component(u, c) ? 1 : -1;
      const double leak = component(outside, c) + sign * component(inside, c);
      if (std::abs(leak) > 1e-8 * largest) return c;
    }
  }
  return std::nullopt;
}

}  // namespace thalweg::numerics
