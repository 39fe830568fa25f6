// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The exact solution of the Riemann problem of the Euler equations along one axis.
///
/// Of an ideal gas; one whose pressure is counted from -p_infinity has the same solution with its
/// pressures shifted, as p and E of the Euler equations then change by constants.
/// @source Toro (2009), ch. 4; symbols as there, with "star" for the region between the waves
class RiemannSolution {
 public:
  using State = GasPrimitive<1>;

  /// Solve for the star region. @pre both states admissible
  RiemannSolution(const StiffenedGas& eos, State left, State right);

  /// The least pressure (0 of an ideal gas) where a vacuum arises between the states.
  double star_pressure() const { return p_star_ - p_infinity_; }
  /// That of the contact, or of the middle of the vacuum.
  double star_velocity() const { return 0.5 * (v_left_ + v_right_); }
  /// The solution at x/t = speed, the interface being at x = 0 and t > 0.
  State at(double speed) const;

 private:
  // Pressures are above the least here.
  Euler<1> gas_;
  double p_infinity_;
  State left_;
  State right_;
  double p_star_ = 0;
  double v_left_ = 0;  ///< of the gas left of the contact, or of the vacuum's left end
  double v_right_ = 0;
};

}  // namespace thalweg::hydro
