// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/reservation.hpp>

#include <algorithm>
#include <cmath>

namespace thalweg::miniamr {

std::size_t blocks_to_reserve(const Options& options) {
  if (!options.max_blocks) return 0;
  const double most =
      static_cast<double>(product(options.root_blocks())) * std::pow(8.0, options.num_refine);
  const double n = std::min(static_cast<double>(*options.max_blocks), most);
  return static_cast<std::size_t>(n * 5 / 4);
}

}  // namespace thalweg::miniamr
