// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/reservation.hpp>

#include <algorithm>
#include <cmath>

#include <thalweg/core/box.hpp>
#include <thalweg/miniamr/data/store.hpp>

#include "timestep.hpp"

namespace thalweg::miniamr {

std::size_t blocks_to_reserve(const Options& options) {
  if (!options.max_blocks) return 0;
  const Box<3> roots{{}, options.root_blocks()};
  const double most = static_cast<double>(roots.n_cells()) * std::pow(8.0, options.num_refine);
  const double n = std::min(static_cast<double>(*options.max_blocks), most);
  return static_cast<std::size_t>(n * 5 / 4);
}

double bytes_of_first_blocks(const Options& options) {
  const Box<3> roots{{}, options.init};
  const double n = static_cast<double>(roots.n_cells()) *
                   (options.uniform_refine ? std::pow(8.0, options.num_refine) : 1.0);
  return n * static_cast<double>(data::BlockMemory::size(shape_of(options)) * sizeof(double));
}

}  // namespace thalweg::miniamr
