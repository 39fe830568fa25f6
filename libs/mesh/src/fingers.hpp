// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>

namespace thalweg::mesh {

/// The fingers of a rank where it can say of any rank where that one's part begins.
/// @param splitter_of  std::uint64_t splitter_of(int rank)
template <class SplitterOf>
std::vector<std::uint64_t> fingers_of(Rank rank, int n_ranks, SplitterOf&& splitter_of) {
  std::vector<std::uint64_t> fingers;
  fingers.reserve(n_fingers(n_ranks));
  fingers.push_back(splitter_of(static_cast<int>(rank())));
  for (std::int64_t distance = 1; distance < n_ranks; distance *= 2)
    fingers.push_back(splitter_of(static_cast<int>((rank() + distance) % n_ranks)));
  return fingers;
}

/// What a rank keeps, by its fingers. @param end  of all places
inline Part part_by(std::span<const std::uint64_t> fingers, Rank rank, int n_ranks,
                    std::uint64_t end) {
  const bool is_last = rank() + 1 == static_cast<unsigned>(n_ranks);
  return {fingers[0], is_last ? end : fingers[1]};
}

}  // namespace thalweg::mesh
