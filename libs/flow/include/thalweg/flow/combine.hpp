// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

namespace thalweg::flow {

/// The smaller of two numbers, with the same bits in any order of combining: -0 < +0, NaN wins.
struct Min {
  double operator()(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
};

/// The larger of two numbers, with the same bits in any order of combining: +0 > -0, NaN wins.
struct Max {
  double operator()(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
};

}  // namespace thalweg::flow
