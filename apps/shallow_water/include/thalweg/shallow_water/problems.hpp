// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <thalweg/shallow_water/shallow_water.hpp>

namespace thalweg::shallow_water {

/// Still water, 1 deep, over a hump that may be an island.
struct LakeAtRest {
  Vec<2> centre;
  double height, radius;

  State operator()(const Cell& cell) const {
    const Vec<2> x = cell.centre - centre;
    return water(0, {}, height * std::exp(-dot(x, x) / (radius * radius)) - 1);
  }
};

/// Two depths of still water on a flat bed.
/// @source Stoker (1957), "Water Waves", sec. 10.8, for what comes of it
struct DamBreak {
  double left, right;

  State operator()(const Cell& cell) const {
    return water(cell.centre[0] < 0 ? left : right, {}, 0);
  }
};

/// Water in a paraboloid whose flat surface turns around the middle, at the time of the cell.
/// @source Thacker, J. Fluid Mech. 107 (1981) 499
struct Thacker {
  double g, depth, radius, displacement;

  double frequency() const { return std::sqrt(2 * g * depth) / radius; }
  State operator()(const Cell& cell) const {
    const double w = frequency(), per_r2 = 1 / (radius * radius);
    const Vec<2> to_water{{std::cos(w * cell.time), std::sin(w * cell.time)}};
    const double bed = depth * (dot(cell.centre, cell.centre) * per_r2 - 1);
    const double surface = 2 * displacement * depth * per_r2 *
                           (dot(to_water, cell.centre) - 0.5 * displacement);
    return water(surface, displacement * w * Vec<2>{{-to_water[1], to_water[0]}}, bed);
  }
};

}  // namespace thalweg::shallow_water
