// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The flux through a face between two states with a contact wave between two averaged states.
///
/// F = F_k + s (U*_k - U_k), where k is the side of the face that the contact moves away from and
/// s the outer signal on it; F_k itself where that moves away from it too. Written as the flux
/// between the waves, F*_k, of which only the pressure is left where the contact is at rest: such
/// contacts are kept exactly, and what is mirrored stays mirrored to the bit.
/// @threads safe
/// @source Toro, Spruce, Speares, Shock Waves 4 (1994) 25; Toro (2009), eq. 10.37-10.39, 10.71
/// @verified riemann_hllc_test.cpp, symmetry_test.cpp
struct RiemannHllc {
  /// The speeds of the contact and of the signal s.
  struct Waves {
    double contact;
    double outer;
  };

  // Of a ContactSystem. That is no constraint, so that for another system the compiler names the
  // function that is missing, and not this one.
  template <HyperbolicSystem System>
  static constexpr Waves waves(const System& system, const typename System::Primitive& l,
                               const typename System::Primitive& r, int axis) {
    const Speeds s = system.riemann_speeds(l, r, axis);
    const double contact = system.contact_speed(l, r, s, axis);
    return {contact, contact >= 0 ? s.lo : s.hi};
  }
  template <HyperbolicSystem System>
  static constexpr auto flux(const System& system, const typename System::Primitive& l,
                             const typename System::Primitive& r, int axis, const Waves& waves) {
    const auto [contact, outer] = waves;
    const bool is_left = contact >= 0;
    // A number to ask about: a choice between two comparisons would not be vectorised. No number
    // takes what comes of both sides, so that it is seen.
    const double to_contact = is_left ? -outer : outer;
    const auto w = map_components([=](double a, double b) { return is_left ? a : b; }, l, r);
    return map_components(
        [=](double inside, double beside) { return to_contact <= 0 ? beside : inside; },
        system.star_flux(w, outer, contact, axis), system.flux(w, axis));
  }
  template <HyperbolicSystem System>
  static constexpr auto flux(const System& system, const typename System::Primitive& l,
                             const typename System::Primitive& r, int axis) {
    return flux(system, l, r, axis, waves(system, l, r, axis));
  }
};

}  // namespace thalweg::numerics
