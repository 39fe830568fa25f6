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

/// How many points beyond a tile interpolation of a degree reads for feet so far away.
inline int needed_halo(const Shifts& shifts, int degree) {
  const int below = points_below(degree) - static_cast<int>(std::floor(shifts.least));
  const int above = points_below(degree) + 1 + static_cast<int>(std::floor(shifts.greatest));
  return std::max(below, above);
}

}  // namespace thalweg::vlasov
