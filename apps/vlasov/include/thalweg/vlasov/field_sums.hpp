// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/core/contract.hpp>
#include <thalweg/vlasov/extent.hpp>

namespace thalweg::vlasov {

/// What a stretch of points along x adds to the sums that the field is made of.
struct FieldSums {
  double n = 0;               ///< points
  double charge = 0;          ///< sum of rho less its mean at the start
  double current = 0;         ///< sum of J
  double rise = 0;            ///< of E along the stretch
  double level = 0;           ///< sum of E over its points, where E is 0 before it
  Extent field{};             ///< of E, where E is 0 before it
  Extent predicted{};         ///< of what is predicted of E, but for what all points have in common
  double predicted_rise = 0;  ///< of that along the stretch

  /// Those of this stretch and the next one together. In floating point it is not associative: the
  /// same stretches must always be joined in the same tree.
  FieldSums then(const FieldSums& next) const {
    return {n + next.n,
            charge + next.charge,
            current + next.current,
            rise + next.rise,
            level + (next.level + rise * next.n),
            field.then(next.field, rise),
            predicted.then(next.predicted, predicted_rise),
            predicted_rise + next.predicted_rise};
  }
};

inline constexpr int rise_reads_below = 3;  ///< points before the one E rises to
inline constexpr int rise_reads_above = 2;

/// Add up E along a stretch of points, from 0 before it:
///     E_i - E_(i-1) = dx/1440 (11 r_(i-3) - 93 r_(i-2) + 802 r_(i-1) + 802 r_i - 93 r_(i+1) +
///     11 r_(i+2)),
/// the integral of the polynomial through six points, of sixth order in dx.
///
/// @param charge  rho less a constant, from 3 points before the stretch to 2 behind it
/// @param level   [n] E at each point
/// @return the sums, without those of the current and of what is predicted
FieldSums add_up_field(std::span<const double> charge, double dx, std::span<double> level);

/// How much of a slope there is in E of stretches joined, which its periodic axis does not have.
inline double slope_of(const FieldSums& total, double dx) {
  return dx * (total.charge / total.n);
}

/// E at the end of a stretch that begins after `before`: without the means of rho - 1 and of E.
/// @param i      the point's number, from 0 along the whole axis
/// @param level  of this point, of add_up_field
inline double field_at(const FieldSums& before, const FieldSums& total, double level, double dx,
                       int i) {
  const double mean_level = total.level / total.n;
  return (before.rise + level - mean_level) - slope_of(total, dx) * (i + 1 - 0.5 * (total.n + 1));
}

}  // namespace thalweg::vlasov
