// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::mesh {

// Who gets each of a list of blocks: the classical choices, for whoever knows all weights. Forests
// are cut along their curve, which needs no list; these say what that costs or saves in balance.
// All are pure: the same for the same list on every rank.

/// Parts of equal weight in the list's order, as forests are cut: blocks that are near stay near.
/// @pre all weights >= 1, their sum <= 2^62
std::vector<Rank> assign_in_order(std::span<const std::int64_t> weights, int n_ranks);

/// The heaviest block that is left to the rank with the least so far; of equals, the first.
///
/// The largest load is at most 4/3 of the smallest possible. @cost O(n log n)
/// @source Graham, SIAM J. Appl. Math. 17 (1969) 416, theorem 2
std::vector<Rank> assign_knapsack(std::span<const std::int64_t> weights, int n_ranks);

}  // namespace thalweg::mesh
