// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg::mesh {

/// How uneven loads are: the largest over the mean, 1 at best; 1 also where there is no load.
inline double imbalance(std::int64_t largest, std::int64_t total, std::size_t n_loads) {
  if (total <= 0) return 1;
  return static_cast<double>(largest) * static_cast<double>(n_loads) / static_cast<double>(total);
}

/// @pre the loads sum to less than 2^63
inline double imbalance(std::span<const std::int64_t> loads) {
  std::int64_t largest = 0;
  std::int64_t total = 0;
  for (const std::int64_t load : loads) {
    largest = std::max(largest, load);
    total += load;
  }
  return imbalance(largest, total, loads.size());
}

}  // namespace thalweg::mesh
