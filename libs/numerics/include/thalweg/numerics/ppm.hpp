// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/numerics/reconstruction.hpp>

namespace thalweg::numerics {

namespace detail {

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
    const double here = twice_slope(step_1, step_2);
    const Edges e{0.5 * (q[1] + q[2]) - (here - twice_slope(step_0, step_1)) * (1.0 / 12.0),
                  0.5 * (q[2] + q[3]) - (twice_slope(step_2, step_3) - here) * (1.0 / 12.0)};
    const bool is_extremum = (e.upper - q[2]) * (q[2] - e.lower) <= 0;
    const Edges limited = detail::monotonic(q[2], e);
    return {is_extremum ? q[2] : limited.lower, is_extremum ? q[2] : limited.upper};
  }

 private:
  // Twice that of the parabola through three cells, at most four times either step, and none
  // between steps of different signs.
  static constexpr double twice_slope(double below, double above) {
    const double sum = below + above;
    const double least = std::min(std::abs(sum), 4.0 * std::min(std::abs(below), std::abs(above)));
    return below * above > 0 ? std::copysign(least, sum) : 0.0;
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
    const Curves lower(curve_below, curve_here), upper(curve_here, curve_above);
    const Edges e{face(q[1], q[2], step_1, lower), face(q[2], q[3], step_2, upper)};
    const double below = q[2] - e.lower;
    const double above = e.upper - q[2];

    // Differences and curvatures that are all rounding are none: else the sides of a plane of
    // symmetry would be limited each in its way.
    const double least_seen =
        rounding * std::max(std::max(std::max(std::abs(q[0]), std::abs(q[4])),
                                     std::max(std::abs(q[1]), std::abs(q[3]))),
                            std::abs(q[2]));

    const double curve = 6.0 * (above - below);
    const bool is_curved = bool(int(std::abs(curve) > least_seen) & int(curve * curve_here > 0) &
                                int(lower.are_alike) & int(upper.are_alike));
    const double share =
        std::min(1.0, excess * std::min(lower.least, upper.least) / std::abs(curve));
    const double ratio = is_curved ? share : 0.0;

    const bool is_monotonic =
        bool(int(above * below > 0) & int(step_2 * step_1 > 0) &
             int(std::abs(step_1) > least_seen) & int(std::abs(step_2) > least_seen));
    const Edges limited = detail::monotonic(q[2], e);
    return {is_monotonic ? limited.lower : q[2] - ratio * below,
            is_monotonic ? limited.upper : q[2] + ratio * above};
  }

 private:
  static constexpr double excess = 1.25;     ///< how much more curved than its neighbours, > 1
  static constexpr double rounding = 1e-12;  ///< relative; some thousand roundings

  /// The second differences of the cells on either side of a face.
  struct Curves {
    double sum;      ///< twice the curvature at the face
    double least;    ///< the least magnitude
    bool are_alike;  ///< in sign

    constexpr Curves(double b, double c)
        : sum(b + c), least(std::min(std::abs(b), std::abs(c))), are_alike(b * c > 0) {}
  };

  /// The value between b and c. Where it is outside of both (the curvature being the mean of the
  /// two cells') it is an extremum: then with the least of the curvatures.
  static constexpr double face(double b, double c, double step, Curves curves) {
    const bool is_extremum = std::abs(curves.sum) > 6.0 * std::abs(step);
    const double least = std::min(std::abs(curves.sum), 2.0 * excess * curves.least);
    const double limited = curves.are_alike ? std::copysign(least, curves.sum) : 0.0;
    return 0.5 * (b + c) - (is_extremum ? limited : curves.sum) * (1.0 / 12.0);
  }
};

static_assert(Reconstruction<PpmClassic> && Reconstruction<PpmExtrema>);

}  // namespace thalweg::numerics
