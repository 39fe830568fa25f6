// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The similarity solution of a spherical point explosion in a uniform cold gas at rest.
///
/// For the standard case, 1 < gamma < 7: the gas reaches to the centre.
/// @source Sedov (1959); Kamm and Timmes, LA-UR-07-2849 (2007), sec. 2 and 3, with j = 3, omega = 0
class ExactSedov {
 public:
  struct Config {
    double gamma = 1.4;
    double energy = 1.0;  ///< of the explosion
    double rho = 1.0;     ///< of the gas around
  };

  /// @cost a few thousand evaluations, for the integral of the energy
  explicit ExactSedov(const Config& config);

  /// @pre time > 0
  double shock_radius(double time) const;
  /// Density, radial velocity and pressure at a radius and a time. The pressure outside is zero.
  /// @pre radius >= 0 and time > 0   @cost one bisection inside the shock
  Euler<1>::Primitive at(double radius, double time) const;
  /// The energy of the explosion over rho R^5 / t^2, R the radius of the shock.
  double alpha() const { return alpha_; }

 private:
  /// Density, velocity and pressure over those just behind the shock.
  Euler<1>::Primitive behind_shock(double radius_over_shock) const;

  Config config_;
  double alpha_ = 1;
};

}  // namespace thalweg::hydro
