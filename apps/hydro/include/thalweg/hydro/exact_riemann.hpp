// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The exact solution of the Riemann problem of the Euler equations along one axis.
/// @source Toro (2009), ch. 4; symbols as there, with "star" for the region between the waves
class ExactRiemann {
 public:
  using State = Euler<1>::Primitive;

  /// Solve for the star region. @pre both states admissible
  ExactRiemann(Euler<1> gas, State left, State right);

  /// 0 where a vacuum arises between the states.
  double star_pressure() const { return p_star_; }
  /// That of the contact, or of the middle of the vacuum.
  double star_velocity() const { return 0.5 * (v_left_ + v_right_); }
  /// The solution at x/t = speed, the interface being at x = 0 and t > 0.
  State at(double speed) const;

 private:
  Euler<1> gas_;
  State left_;
  State right_;
  double p_star_ = 0;
  double v_left_ = 0;  ///< of the gas left of the contact, or of the vacuum's left end
  double v_right_ = 0;
};

}  // namespace thalweg::hydro
