// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A Riemann solver in two parts, each of which goes through a whole row of faces:
///
/// - waves(system, l, r, axis): an aggregate of few doubles;
/// - flux(system, l, r, axis, waves): the flux, which flux(system, l, r, axis) is, too.
///
/// Divisions and roots that need one another take most of the time of a face, and a processor looks
/// no farther ahead than some hundred instructions: a part that has half of them lets it work on
/// twice as many faces at once (apps/hydro/speed.md).
template <class Riemann, class System>
concept SolverInTwoParts =
    requires(const System s, typename System::Primitive w) { Riemann::waves(s, w, w, 0); };

/// The waves between the states on the two sides of a face, as the system has them meet there.
template <class Riemann, HyperbolicSystem System>
  requires SolverInTwoParts<Riemann, System>
constexpr auto face_waves(const System& system, typename System::Primitive l,
                          typename System::Primitive r, int axis) {
  if constexpr (MeetingSystem<System>) system.meet(l, r);
  return Riemann::waves(system, l, r, axis);
}

/// The flux of a Riemann solver between the states on the two sides of a face, as the system has
/// them meet there; coefficients have none.
/// @param waves  none, or what face_waves has found
/// @verified conservation_law_test.cpp
template <class Riemann, HyperbolicSystem System, class... Waves>
constexpr auto face_flux(const System& system, typename System::Primitive l,
                         typename System::Primitive r, int axis, const Waves&... waves) {
  if constexpr (MeetingSystem<System>) system.meet(l, r);
  const auto flux = Riemann::flux(system, l, r, axis, waves...);
  if constexpr (n_coefficients_of<System> == 0) {
    return flux;
  } else {
    constexpr auto n_advanced =
        static_cast<std::size_t>(System::n_components - n_coefficients_of<System>);
    return make_state<typename System::State>(
        [&](std::size_t c) { return c < n_advanced ? component(flux, c) : 0.0; });
  }
}

}  // namespace thalweg::numerics
