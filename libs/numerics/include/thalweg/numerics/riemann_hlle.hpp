// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The flux through a face between two states with one averaged state between the outer signals.
///
/// F = (b+ F_l - b- F_r + b+ b- (U_r - U_l)) / (b+ - b-), b- = min(s_l, 0), b+ = max(s_r, 0).
/// @threads safe
/// @source Harten, Lax, van Leer, SIAM Review 25 (1983) 35; Einfeldt, SIAM J. Num. Anal. 25 (1988)
/// 294
struct RiemannHlle {
  template <HyperbolicSystem System>
  static constexpr auto flux(const System& system, const typename System::Primitive& l,
                             const typename System::Primitive& r, int axis) {
    const Speeds s = system.riemann_speeds(l, r, axis);
    const double lo = std::min(s.lo, 0.0);
    const double hi = std::max(s.hi, 0.0);
    // Where both bounds are zero no signal moves, and the mean of the fluxes is either of them.
    const bool rests = hi - lo == 0;
    const double from_l = rests ? 0.5 : hi;
    const double from_r = rests ? 0.5 : -lo;
    const double scale = 1.0 / (from_l + from_r);
    return map_components(
        [=](double f_l, double f_r, double u_l, double u_r) {
          return (from_l * f_l + from_r * f_r + hi * lo * (u_r - u_l)) * scale;
        },
        system.flux(l, axis), system.flux(r, axis), system.to_conserved(l), system.to_conserved(r));
  }
};

}  // namespace thalweg::numerics
