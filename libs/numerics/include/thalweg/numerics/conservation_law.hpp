// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// What a system of conservation laws need not say itself: a base of HyperbolicSystem types.
///
///     struct Burgers : ConservationLaw<Burgers, 1, Velocity> { flux(w, axis); speeds(w, axis); };
///
/// The system has to have
/// - flux(w, axis) -> State: the physical flux;
/// - speeds(w, axis) -> Speeds: the slowest and the fastest signal in one state; or riemann_speeds.
/// Each default is hidden by a member of the system with the same name.
/// @tparam Self    the system, which inherits this
/// @tparam State_  an aggregate of doubles, conserved; reconstructed as it is
/// @verified conservation_law_test.cpp
template <class Self, int D, class State_>
struct ConservationLaw {
  static constexpr int dim = D;
  static constexpr int n_components = n_components_of<State_>;
  /// For messages; a system with another `admissible` says here what that asks for.
  static constexpr std::string_view admissible_states = finite_numbers;
  using State = State_;
  using Primitive = State_;

  constexpr State to_primitive(State u) const { return u; }
  constexpr State to_conserved(State w) const { return w; }
  /// The bounds of both states' signals.
  constexpr Speeds riemann_speeds(State l, State r, int axis) const {
    const Speeds of_l = self().speeds(l, axis);
    const Speeds of_r = self().speeds(r, axis);
    return {std::min(of_l.lo, of_r.lo), std::max(of_l.hi, of_r.hi)};
  }
  constexpr double max_speed(State w, int axis) const {
    const Speeds s = self().riemann_speeds(w, w, axis);
    return std::max(-s.lo, s.hi);
  }
  /// Every state of finite numbers is one.
  constexpr bool admissible(State u) const {
    bool is_finite = true;
    for (std::size_t c = 0; c < n_components; ++c) {
      const double x = component(u, c);
      is_finite = is_finite & (x - x == 0);
    }
    return is_finite;
  }
  constexpr bool passes_floor(State u, State) const { return self().admissible(u); }
  /// A wall turns the normal component of the momentum, `mom`. A state without has no image: its
  /// system says it, or has no walls.
  constexpr State mirror(State u, int axis) const
    requires requires { u.mom[axis]; }
  {
    u.mom[axis] = -u.mom[axis];
    return u;
  }

 private:
  constexpr const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace thalweg::numerics
