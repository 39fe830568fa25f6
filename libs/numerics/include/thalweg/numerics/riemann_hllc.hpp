// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The flux through a face between two states with a contact wave between two averaged states.
///
/// F = F_k + s (U*_k - U_k), where k is the side of the face that the contact moves away from and
/// s = min(s_l, 0) or max(s_r, 0): F_k itself where the flow is supersonic. A contact at rest is
/// kept exactly.
/// @threads safe
/// @source Toro, Spruce, Speares, Shock Waves 4 (1994) 25; Toro (2009), eq. 10.37-10.39, 10.71
struct RiemannHllc {
  template <ContactSystem System>
  static auto flux(const System& system, const typename System::Primitive& l,
                   const typename System::Primitive& r, int axis) {
    const Speeds s = system.riemann_speeds(l, r, axis);
    const double contact = system.contact_speed(l, r, s, axis);
    const bool is_left = contact >= 0;
    const double outer = is_left ? s.lo : s.hi;
    const double lo = std::min(s.lo, 0.0);
    const double hi = std::max(s.hi, 0.0);
    const double bounded = is_left ? lo : hi;
    const auto w = map_components([=](double a, double b) { return is_left ? a : b; }, l, r);
    return map_components([=](double f, double u, double star) { return f + bounded * (star - u); },
                          system.flux(w, axis), system.to_conserved(w),
                          system.star(w, outer, contact, axis));
  }
};

}  // namespace thalweg::numerics
