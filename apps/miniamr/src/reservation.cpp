// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/reservation.hpp>

#include <algorithm>
#include <cmath>

#include <thalweg/core/box.hpp>

namespace thalweg::miniamr {

std::size_t blocks_to_reserve(const Options& options) {
  if (!options.max_blocks) return 0;
  const Box<3> roots{{}, options.root_blocks()};
  const double most = static_cast<double>(roots.n_cells()) * std::pow(8.0, options.num_refine);
  const double n = std::min(static_cast<double>(*options.max_blocks), most);
  return static_cast<std::size_t>(n * 5 / 4);
}

}  // namespace thalweg::miniamr
