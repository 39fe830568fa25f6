// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The local Lax-Friedrichs flux, which knows no more than the fastest signal:
///
///     F = (F_l + F_r)/2 - s/2 (U_r - U_l),   s = max(|s_l|, |s_r|).
///
/// The most diffusive choice; contacts and shears at rest are smeared.
/// @threads safe
/// @source Rusanov (1961); Toro (2009), eq. 10.55-10.56
struct RiemannLlf {
  template <HyperbolicSystem System>
  static constexpr auto flux(const System& system, const typename System::Primitive& l,
                             const typename System::Primitive& r, int axis) {
    const Speeds s = system.riemann_speeds(l, r, axis);
    const double fastest = std::max(std::abs(s.lo), std::abs(s.hi));
    return map_components([=](double f_l, double f_r, double u_l,
                              double u_r) { return 0.5 * ((f_l + f_r) - fastest * (u_r - u_l)); },
                          system.flux(l, axis), system.flux(r, axis), system.to_conserved(l),
                          system.to_conserved(r));
  }
};

}  // namespace thalweg::numerics
