// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>

namespace thalweg::mesh {

/// What a rank learns of lists of all ranks that are scanned, element by element: the exclusive
/// scan, and the reduction of all.
template <class T>
struct Scanned {
  std::vector<T> before;  ///< of lower ranks
  std::vector<T> all;
};

/// Scan and all-reduce lists of one length of all ranks, in the ranks' order. Collective.
///
/// By combined(T, T), which is exactly associative, as sums of integers and maxima are, and leaves
/// a value as it is together with T{}.
/// @cost ceil(log2 n_ranks) rounds, memory of a few lists
/// @source Hillis and Steele, CACM 29 (1986) 1170, which for `all` goes on round the end
template <class T, Collectives R>
Scanned<T> scan_all_reduce(const std::vector<T>& mine, Rank rank, int n_ranks, R& collectives) {
  struct Sums {
    T upto;    // of the last `distance` ranks up to here that there are
    T window;  // of as many, with those round the end
    T all;     // of the last n % distance ranks up to here
  };
  const auto n = static_cast<std::uint32_t>(n_ranks);
  std::vector<Sums> sums;
  for (const T& value : mine) sums.push_back({value, value, T{}});
  std::vector<T> before(mine.size());
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    const auto below = collectives.ring_shift(std::span<const Sums>(sums), distance);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if ((n & distance) != 0) sums[i].all = combined(below[i].all, sums[i].window);
      sums[i].window = combined(below[i].window, sums[i].window);
      if (rank() < distance) continue;
      before[i] = combined(below[i].upto, before[i]);
      sums[i].upto = combined(below[i].upto, sums[i].upto);
    }
  }
  Scanned<T> combined{std::move(before), {}};
  const bool is_power = (n & (n - 1)) == 0;
  for (const Sums& s : sums) combined.all.push_back(is_power ? s.window : s.all);
  return combined;
}

/// What a rank must know to pass on messages, by level (OwnerDirectory). Collective.
/// @param firsts  codes of this rank's first blocks, or where it has none those of the last + 1
/// @param is_first  by level: no lower rank has blocks
/// @cost 2 ceil(log2 n_ranks) rounds
template <Collectives R>
std::vector<std::vector<std::uint64_t>> find_routing_tables(std::vector<std::uint64_t> firsts,
                                                            const std::vector<bool>& is_first,
                                                            Rank rank, int n_ranks,
                                                            R& collectives) {
  // Ranks without blocks begin where the next one with blocks does. Codes grow with ranks.
  for (std::int64_t distance = 1; distance < n_ranks; distance *= 2) {
    const auto above = collectives.ring_shift(std::span<const std::uint64_t>(firsts), -distance);
    for (std::size_t l = 0; rank() + distance < n_ranks && l < firsts.size(); ++l)
      firsts[l] = std::min(firsts[l], above[l]);
  }
  std::vector<std::vector<std::uint64_t>> routing_tables(firsts.size());
  for (std::size_t l = 0; l < firsts.size(); ++l) {
    if (is_first[l]) firsts[l] = 0;
    routing_tables[l].reserve(routing_table_size(n_ranks));
    routing_tables[l].push_back(firsts[l]);
  }
  for (std::int64_t distance = 1; distance < n_ranks; distance *= 2) {
    const auto above = collectives.ring_shift(std::span<const std::uint64_t>(firsts), -distance);
    for (std::size_t l = 0; l < firsts.size(); ++l) routing_tables[l].push_back(above[l]);
  }
  return routing_tables;
}

}  // namespace thalweg::mesh
