// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg::mesh::testing {

/// Which compute node each rank is on, by seed: none share one, all do, every third, or eight in a
/// row do.
inline std::vector<int> some_compute_nodes(int n_ranks, std::uint64_t seed) {
  if (seed % 4 == 0) return {};
  std::vector<int> compute_nodes(static_cast<std::size_t>(n_ranks));
  for (int r = 0; r < n_ranks; ++r)
    compute_nodes[static_cast<std::size_t>(r)] = seed % 4 == 1 ? 0 : seed % 4 == 2 ? r % 3 : r / 8;
  return compute_nodes;
}

}  // namespace thalweg::mesh::testing
