// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::mesh {

// Who gets each of a list of blocks, a function a method: pure, so that all ranks agree. Levels and
// leaves of forests are lists whose parts ranks hold (block_lists.hpp).

/// Parts of equal weight in the list's order: blocks that are near stay near.
/// @param weights  of a part of the list, each at least 1
/// @param before   weight of what comes before the part
/// @param total    of the whole list, at most 2^62
std::vector<Rank> assign_in_order(std::span<const std::int64_t> weights, std::int64_t before,
                                  std::int64_t total, int n_ranks);

/// One block after the other to one rank after the other.
/// @param n_blocks  of a part of the list
/// @param before    how many come before the part
std::vector<Rank> assign_in_turn(std::size_t n_blocks, std::int64_t before, int n_ranks);

/// The heaviest block that is left to the rank with the least so far; of equals, the first.
///
/// The largest load is at most 4/3 of the smallest possible. @cost O(n log n)
/// @source Graham, SIAM J. Appl. Math. 17 (1969) 416, theorem 2
std::vector<Rank> assign_knapsack(std::span<const std::int64_t> weights, int n_ranks);

}  // namespace thalweg::mesh
