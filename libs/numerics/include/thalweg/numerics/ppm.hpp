// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/numerics/reconstruction.hpp>

namespace thalweg::numerics {

namespace detail {

/// The least of three magnitudes with the sign of the first; zero unless all signs agree.
constexpr double least_of_one_sign(double a, double b, double c) {
  const double least = std::min(std::abs(a), std::min(std::abs(b), std::abs(c)));
  const bool agree = bool(int(a * b > 0) & int(a * c > 0));
  return agree ? std::copysign(least, a) : 0.0;
}

/// The parabola through two edges, made monotonic by moving the edge that lies farther off.
/// @source Colella and Woodward (1984), eq. 1.10
constexpr Edges monotonic(double mean, Edges e) {
  const double below = mean - e.lower;
  const double above = e.upper - mean;
  return {std::abs(below) >= 2.0 * std::abs(above) ? mean - 2.0 * above : e.lower,
          std::abs(above) >= 2.0 * std::abs(below) ? mean + 2.0 * below : e.upper};
}

}  // namespace detail

// In both rules the value at the face between b and c, of averages a, b, c, d, is
//     (b + c)/2 - (slope(c) - slope(b))/6,
// third order or better, and exactly b where all four are equal. Sums are arranged so that a
// mirrored stencil gives mirrored edges to the bit.

/// Take a quantity as a parabola in the cell, monotonic and flat at extrema.
/// @source Colella and Woodward, JCP 54 (1984) 174, eq. 1.6-1.10 on equal cells
struct PpmClassic {
  static constexpr int radius = 2;
  static constexpr bool is_bounded = true;
  static constexpr Edges edges(Stencil<2> q) {
    const double slope_below = slope(q[0], q[1], q[2]);
    const double slope_here = slope(q[1], q[2], q[3]);
    const double slope_above = slope(q[2], q[3], q[4]);
    const Edges e{0.5 * (q[1] + q[2]) - (slope_here - slope_below) * (1.0 / 6.0),
                  0.5 * (q[2] + q[3]) - (slope_above - slope_here) * (1.0 / 6.0)};
    const bool is_extremum = (e.upper - q[2]) * (q[2] - e.lower) <= 0;
    const Edges limited = detail::monotonic(q[2], e);
    return {is_extremum ? q[2] : limited.lower, is_extremum ? q[2] : limited.upper};
  }

 private:
  static constexpr double slope(double a, double b, double c) {
    return detail::least_of_one_sign(0.5 * (c - a), 2.0 * (b - a), 2.0 * (c - b));
  }
};

/// Take a quantity as a parabola in the cell, and keep smooth extrema.
///
/// Where the edges or the neighbours say "extremum", the parabola is shrunk by the ratio of the
/// least to its own second derivative: not at all where the flow is smooth, to the mean where the
/// signs of the second derivatives differ.
/// @source Colella and Sekora, JCP 227 (2008) 7069; McCorquodale and Colella, CAMCoS 6 (2011) 1,
///         sec. 2.4.1; with the faces limited as in Colella, Dorr, Hittinger, Martin, JCP 230
///         (2011) 2952, sec. 4.3.1
struct PpmExtrema {
  static constexpr int radius = 2;
  static constexpr bool is_bounded = false;
  static constexpr Edges edges(Stencil<2> q) {
    const double curve_below = second_difference(q[0], q[1], q[2]);
    const double curve_here = second_difference(q[1], q[2], q[3]);
    const double curve_above = second_difference(q[2], q[3], q[4]);
    const Edges e{face(q[0], q[1], q[2], q[3], curve_below, curve_here),
                  face(q[1], q[2], q[3], q[4], curve_here, curve_above)};
    const double below = q[2] - e.lower;
    const double above = e.upper - q[2];

    // Differences and curvatures that are all rounding are none: else the sides of a plane of
    // symmetry would be limited each in its way.
    const double least_seen =
        rounding * std::max(std::max(std::max(std::abs(q[0]), std::abs(q[4])),
                                     std::max(std::abs(q[1]), std::abs(q[3]))),
                            std::abs(q[2]));
    const auto seen = [=](double x) { return std::abs(x) > least_seen ? x : 0.0; };

    const double curve = 6.0 * (above - below);
    const double least = detail::least_of_one_sign(
        curve, excess * detail::least_of_one_sign(curve_here, curve_below, curve_above), curve);
    const bool is_curved = seen(curve) != 0;
    const double ratio = is_curved ? least / (is_curved ? curve : 1.0) : 0.0;
    const bool keeps = ratio > 1.0 - rounding;
    const Edges shrunk{keeps ? e.lower : q[2] - ratio * below,
                       keeps ? e.upper : q[2] + ratio * above};

    const bool is_extremum =
        bool(int(above * below <= 0) | int(seen(q[3] - q[2]) * seen(q[2] - q[1]) <= 0));
    const Edges limited = detail::monotonic(q[2], e);
    return {is_extremum ? shrunk.lower : limited.lower, is_extremum ? shrunk.upper : limited.upper};
  }

 private:
  static constexpr double excess = 1.25;     ///< how much more curved than its neighbours, > 1
  static constexpr double rounding = 1e-12;  ///< relative; some thousand roundings

  static constexpr double second_difference(double a, double b, double c) {
    return (a + c) - 2.0 * b;
  }
  /// The value between b and c; at an extremum with the least of the second derivatives around.
  static constexpr double face(double a, double b, double c, double d, double curve_b,
                               double curve_c) {
    const double value = 0.5 * (b + c) - ((d - b) - (c - a)) * (1.0 / 12.0);
    const double curve = 3.0 * ((b + c) - 2.0 * value);
    const double limited =
        0.5 * (b + c) -
        detail::least_of_one_sign(curve, excess * curve_b, excess * curve_c) * (1.0 / 6.0);
    return (value - b) * (c - value) < 0 ? limited : value;
  }
};

static_assert(Reconstruction<PpmClassic> && Reconstruction<PpmExtrema>);

}  // namespace thalweg::numerics
