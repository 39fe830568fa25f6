// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

namespace thalweg::mesh {

/// How uneven loads are: the largest over the mean, 1 at best; 1 also where there is no load.
inline double imbalance(std::span<const std::int64_t> loads) {
  double largest = 0;
  double total = 0;
  for (const std::int64_t load : loads) {
    largest = std::max(largest, static_cast<double>(load));
    total += static_cast<double>(load);
  }
  return total > 0 ? largest * static_cast<double>(loads.size()) / total : 1;
}

}  // namespace thalweg::mesh
