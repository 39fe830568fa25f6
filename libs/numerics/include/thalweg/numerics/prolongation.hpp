// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/numerics/prolong.hpp>
#include <thalweg/numerics/prolong_parabolic.hpp>

namespace thalweg::numerics {

/// How exactly fine cells are made of coarse ones: the order of what is met, constants being first.
enum class ProlongOrder : std::uint8_t { constant = 1, linear = 2, parabolic = 3 };

/// A rule that makes fine cells of coarse ones.
struct Prolongation {
  ProlongOrder order = ProlongOrder::linear;
  SlopeLimiter limiter = SlopeLimiter::monotonised_central;  ///< of linear interpolation

  bool operator==(const Prolongation&) const = default;

  /// How many coarse cells around those below a region are read.
  constexpr int reach() const { return static_cast<int>(order) - 1; }
};

/// Interpolate fine cells from coarse ones by a rule; conservative, whichever it is.
///
/// @shape  coarse  holds region.coarsened(ratio).grown(rule.reach())
/// @shape  fine    holds region, indices of the fine level
/// @pre    ratio is 2 or 4   @threads safe on distinct regions   @cost no allocation
/// @verified prolongation_test.cpp
template <HyperbolicSystem System, int D = System::dim>
void prolong(const System& system, const Prolongation& rule, ConstView<D> coarse,
             const View<double, D>& fine, const Box<D>& region, int ratio) {
  switch (rule.order) {
    case ProlongOrder::constant:
      return prolong_constant(coarse, fine, region, ratio);
    case ProlongOrder::linear:
      return prolong_linear(system, coarse, fine, region, ratio, rule.limiter);
    case ProlongOrder::parabolic:
      return prolong_parabolic(system, coarse, fine, region, ratio, rule.limiter);
  }
}

}  // namespace thalweg::numerics
