// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/numerics/reconstruction.hpp>

namespace thalweg::numerics {

namespace detail {

/// The lesser of |mean| and of `factor` times the least magnitude of two numbers, with their sign;
/// zero if their signs differ. `mean` is between the two.
constexpr double limited_mean(double mean, double a, double b, double factor) {
  const double least = std::min(std::abs(mean), factor * std::min(std::abs(a), std::abs(b)));
  return a * b > 0 ? std::copysign(least, mean) : 0.0;
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
// mirrored stencil gives mirrored edges to the bit, and with few operations: these are the busiest
// lines of a step.

/// Take a quantity as a parabola in the cell, monotonic and flat at extrema.
/// @source Colella and Woodward, JCP 54 (1984) 174, eq. 1.6-1.10 on equal cells
struct PpmClassic {
  static constexpr int radius = 2;
  static constexpr bool is_bounded = true;
  static constexpr Edges edges(Stencil<2> q) {
    const double step_0 = q[1] - q[0], step_1 = q[2] - q[1];
    const double step_2 = q[3] - q[2], step_3 = q[4] - q[3];
    const double here = slope(step_1, step_2);
    const Edges e{0.5 * (q[1] + q[2]) - (here - slope(step_0, step_1)) * (1.0 / 6.0),
                  0.5 * (q[2] + q[3]) - (slope(step_2, step_3) - here) * (1.0 / 6.0)};
    const bool is_extremum = (e.upper - q[2]) * (q[2] - e.lower) <= 0;
    const Edges limited = detail::monotonic(q[2], e);
    return {is_extremum ? q[2] : limited.lower, is_extremum ? q[2] : limited.upper};
  }

 private:
  static constexpr double slope(double below, double above) {
    return detail::limited_mean(0.5 * (below + above), below, above, 2.0);
  }
};

/// Take a quantity as a parabola in the cell, and keep smooth extrema.
///
/// Where the edges or the neighbours say "extremum", the parabola is shrunk by the ratio of the
/// least to its own second derivative: not at all where the flow is smooth, to the mean where the
/// signs of the second derivatives differ.
/// @source Colella and Sekora, JCP 227 (2008) 7069, eq. 22, 23; McCorquodale and Colella, CAMCoS 6
///         (2011) 1, sec. 2.4.1, eq. 27; with the faces limited as in Colella, Dorr, Hittinger,
///         Martin, JCP 230 (2011) 2952, sec. 4.3.1, eq. 84, 85
struct PpmExtrema {
  static constexpr int radius = 2;
  static constexpr bool is_bounded = false;
  static constexpr Edges edges(Stencil<2> q) {
    const double step_1 = q[2] - q[1], step_2 = q[3] - q[2];
    const double curve_below = step_1 - (q[1] - q[0]);
    const double curve_here = step_2 - step_1;
    const double curve_above = (q[4] - q[3]) - step_2;
    const Edges e{face(q[1], q[2], step_1, curve_below, curve_here),
                  face(q[2], q[3], step_2, curve_here, curve_above)};
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
    const double least_curve =
        std::min(std::abs(curve_here), std::min(std::abs(curve_below), std::abs(curve_above)));
    const bool is_curved =
        bool(int(std::abs(curve) > least_seen) & int(curve * curve_here > 0) &
             int(curve_here * curve_below > 0) & int(curve_here * curve_above > 0));
    const double ratio =
        is_curved ? std::min(1.0, excess * least_curve / (is_curved ? std::abs(curve) : 1.0)) : 0.0;

    const bool is_extremum = bool(int(above * below <= 0) | int(seen(step_2) * seen(step_1) <= 0));
    const Edges limited = detail::monotonic(q[2], e);
    return {is_extremum ? q[2] - ratio * below : limited.lower,
            is_extremum ? q[2] + ratio * above : limited.upper};
  }

 private:
  static constexpr double excess = 1.25;     ///< how much more curved than its neighbours, > 1
  static constexpr double rounding = 1e-12;  ///< relative; some thousand roundings

  /// The value between b and c. Where it is outside of both (the curvature being the mean of the
  /// two cells') it is an extremum: then with the least of the curvatures.
  static constexpr double face(double b, double c, double step, double curve_b, double curve_c) {
    const double curve = 0.5 * (curve_b + curve_c);
    const bool is_extremum = std::abs(curve) > 3.0 * std::abs(step);
    const double limited = detail::limited_mean(curve, curve_b, curve_c, excess);
    return 0.5 * (b + c) - (is_extremum ? limited : curve) * (1.0 / 6.0);
  }
};

static_assert(Reconstruction<PpmClassic> && Reconstruction<PpmExtrema>);

}  // namespace thalweg::numerics
