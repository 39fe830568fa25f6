// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>

namespace thalweg::mesh {

/// The routing table of a rank where it can say of any rank where that one's part begins.
/// @param splitter_of  std::uint64_t splitter_of(int rank)
template <class SplitterOf>
std::vector<std::uint64_t> routing_table_of(Rank rank, int n_ranks, SplitterOf&& splitter_of) {
  std::vector<std::uint64_t> routing_table;
  routing_table.reserve(routing_table_size(n_ranks));
  routing_table.push_back(splitter_of(static_cast<int>(rank())));
  for (std::int64_t distance = 1; distance < n_ranks; distance *= 2)
    routing_table.push_back(splitter_of(static_cast<int>((rank() + distance) % n_ranks)));
  return routing_table;
}

/// The part of a rank, by its routing table. @param end of all places
inline CurveRange curve_range_by(std::span<const std::uint64_t> routing_table, Rank rank,
                                 int n_ranks, std::uint64_t end) {
  const bool is_last = rank() + 1 == static_cast<unsigned>(n_ranks);
  return {routing_table[0], is_last ? end : routing_table[1]};
}

}  // namespace thalweg::mesh
