// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The exact solution of the Riemann problem of the Euler equations along one axis.
/// @source Toro (2009), ch. 4; symbols as there, with "star" for the region between the waves
class ExactRiemann {
 public:
  using State = Euler<1>::Primitive;

  /// Solve for the star region. @pre both states admissible; a vacuum does not arise between them
  ExactRiemann(Euler<1> gas, State left, State right);

  double star_pressure() const { return p_star_; }
  double star_velocity() const { return v_star_; }
  /// The solution at x/t = speed, the interface being at x = 0 and t > 0.
  State at(double speed) const;

 private:
  Euler<1> gas_;
  State left_;
  State right_;
  double p_star_ = 0;
  double v_star_ = 0;
};

}  // namespace thalweg::hydro
