// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/vlasov/lagrange.hpp>

namespace thalweg::vlasov {

/// How far feet lie from their points, in cells: the foot of point i is at i + shift.
struct Shifts {
  double least = 0, greatest = 0;
};

/// The widest halo that a run may have [points].
inline constexpr int widest_halo = 4096;

/// How many points beyond a tile interpolation of a degree reads for feet so far away; where these
/// are beyond all halos, some number above the widest.
inline int needed_halo(const Shifts& shifts, int degree) {
  constexpr double far = 2 * widest_halo;
  const auto cells = [far](double shift) {
    return static_cast<int>(std::floor(std::clamp(shift, -far, far)));
  };
  const int below = points_below(degree) - cells(shifts.least);
  const int above = points_below(degree) + 1 + cells(shifts.greatest);
  return std::max(below, above);
}

}  // namespace thalweg::vlasov
