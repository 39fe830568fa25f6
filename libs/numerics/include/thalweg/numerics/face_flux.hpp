// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The flux of a Riemann solver between the states on the two sides of a face, as the system has
/// them meet there; kept components have none.
/// @verified conservation_law_test.cpp
template <class Riemann, HyperbolicSystem System>
constexpr auto face_flux(const System& system, typename System::Primitive l,
                         typename System::Primitive r, int axis) {
  if constexpr (MeetingSystem<System>) system.meet(l, r);
  const auto flux = Riemann::flux(system, l, r, axis);
  if constexpr (n_kept_of<System> == 0) {
    return flux;
  } else {
    constexpr auto n_advanced = static_cast<std::size_t>(System::n_components - n_kept_of<System>);
    return make_state<typename System::State>(
        [&](std::size_t c) { return c < n_advanced ? component(flux, c) : 0.0; });
  }
}

}  // namespace thalweg::numerics
