// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system whose density carries n_carried masses, each a share of it that goes where it goes.
///
/// - has_bounded_shares(): whether schemes and interpolation keep shares within 0 and 1; where not,
///   they have the bits that they have for any system;
/// - density_at, velocity_at: places among the components of a State and of a Primitive; what is
///   carried comes last, in a State as mass per unit volume.
template <class S>
concept CarryingSystem = HyperbolicSystem<S> && requires(const S s) {
  { s.has_bounded_shares() } -> std::same_as<bool>;
  { S::n_carried } -> std::convertible_to<int>;
  { S::density_at } -> std::convertible_to<int>;
  { S::velocity_at } -> std::convertible_to<int>;
};

/// The first component that is carried.
template <CarryingSystem System>
inline constexpr std::size_t first_carried = System::n_components - System::n_carried;

/// Some of the components of a state.
template <HyperbolicSystem System>
using Components = std::array<bool, static_cast<std::size_t>(System::n_components)>;

/// Say whether shares are to be kept within 0 and 1, and one of this state is not.
template <HyperbolicSystem System>
bool leaves_bounds(const System& system, const typename System::State& u) {
  if constexpr (CarryingSystem<System>) {
    // Not short-circuited: this is asked of every cell in vector loops.
    const double all = component(u, System::density_at);
    int is_outside = 0;
    for (std::size_t c = first_carried<System>; c < System::n_components; ++c)
      is_outside |= int(!(component(u, c) >= 0)) | int(!(component(u, c) <= all));
    return system.has_bounded_shares() && is_outside != 0;
  }
  return false;
}

/// The same of one component, which is carried.
template <CarryingSystem System>
bool leaves_bounds(const System& system, const typename System::State& u, std::size_t c) {
  const double all = component(u, System::density_at);
  return system.has_bounded_shares() && !(component(u, c) >= 0 && component(u, c) <= all);
}

/// Which components of a state are carried and leave their bounds at any of some places:
/// holds_anywhere(test) says whether test(state) holds at one.
template <HyperbolicSystem System, class HoldsAnywhere>
Components<System> find_beyond_bounds(const System& system, const HoldsAnywhere& holds_anywhere) {
  Components<System> beyond{};
  if constexpr (CarryingSystem<System>)
    for (std::size_t c = first_carried<System>; c < System::n_components; ++c)
      beyond[c] = holds_anywhere(
          [&](const typename System::State& u) { return leaves_bounds(system, u, c); });
  return beyond;
}

/// A state, or a difference of states, with the shares of another in place of its own in some of
/// what is carried.
template <HyperbolicSystem System>
typename System::State with_shares_of(const System& /*system*/, const typename System::State& other,
                                      const typename System::State& u,
                                      const Components<System>& replaced) {
  if constexpr (CarryingSystem<System>) {
    const double scale = component(u, System::density_at) / component(other, System::density_at);
    return make_state<typename System::State>(
        [&](std::size_t c) { return replaced[c] ? component(other, c) * scale : component(u, c); });
  } else {
    return u;
  }
}

}  // namespace thalweg::numerics
