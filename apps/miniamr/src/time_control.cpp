// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/time_control.hpp>

#include <algorithm>
#include <cmath>

namespace thalweg::miniamr {
namespace {

/// Whether an object lies outside the cube on some axis.
bool is_outside(const Object& object) {
  for (int a = 0; a < 3; ++a) {
    const double c = object.centre[a];
    if (c < 0.0 && c + object.size[a] < 0.0) return true;
    if (c > 1.0 && c - object.size[a] > 1.0) return true;
  }
  return false;
}

}  // namespace

double step_length(const Options& options, std::span<const Object> objects) {
  if (!options.time) return 1.0;
  if (options.num_tsteps) return *options.time / static_cast<double>(*options.num_tsteps);
  double rate = 0;  // half finest cells per unit of time
  for (const Object& object : objects) {
    if (!object.is_there() || is_outside(object)) {
      if (options.quirks == Quirks::reference) break;
      continue;
    }
    for (int a = 0; a < 3; ++a) {
      const double n_half_cells = static_cast<double>(options.root_blocks()[a]) *
                                  std::exp2(options.num_refine + 1) * options.block_cells[a];
      rate = std::max(rate,
                      (std::fabs(object.movement[a]) + std::fabs(object.growth[a])) * n_half_cells);
    }
  }
  return rate > 0.0 ? 1.0 / rate : 1.0;
}

bool is_over(const Options& options, int n_steps, double time) {
  if (!options.time) return n_steps >= options.timesteps();
  return (options.num_tsteps && n_steps >= *options.num_tsteps) || time >= *options.time;
}

}  // namespace thalweg::miniamr
