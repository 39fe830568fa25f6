// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <thalweg/shallow_water/shallow_water.hpp>

namespace thalweg::shallow_water {

/// Still water, 1 deep, over a hump that may be an island.
struct LakeAtRest {
  double height;

  State operator()(const Cell& cell) const {
    return water(0, {}, height * std::exp(-6 * dot(cell.centre, cell.centre)) - 1);
  }
};

/// Still water on a flat bed, 1 deep below x = 0.
/// @source Stoker (1957), "Water Waves", sec. 10.8, for what comes of it
struct DamBreak {
  double right;  ///< depth above it

  State operator()(const Cell& cell) const { return water(cell.centre[0] < 0 ? 1 : right, {}, 0); }
};

/// Water in a paraboloid, at rest 0.1 deep and of radius 1, whose flat surface turns around the
/// middle with a frequency sqrt(0.2 g): an exact solution at the time of the cell.
/// @source Thacker, J. Fluid Mech. 107 (1981) 499
struct Thacker {
  double g, displacement;

  double reach() const { return 1 + std::abs(displacement); }  ///< of the water, from (0, 0)
  State operator()(const Cell& cell) const {
    const double w = std::sqrt(0.2 * g), c = std::cos(w * cell.time), s = std::sin(w * cell.time);
    const double along = c * cell.centre[0] + s * cell.centre[1];
    return water(0.2 * displacement * (along - 0.5 * displacement),
                 {{-displacement * w * s, displacement * w * c}},
                 0.1 * (dot(cell.centre, cell.centre) - 1));
  }
};

}  // namespace thalweg::shallow_water
