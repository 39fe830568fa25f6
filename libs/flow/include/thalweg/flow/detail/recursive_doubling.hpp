// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::flow::detail {

/// What a rank does with what its partner sends in a round of a reduction over all ranks.
enum class Incoming : std::uint8_t {
  none,     ///< nothing comes
  operand,  ///< combine it with our own, that of the lower rank on the left
  total,    ///< it is the result
};

/// One round of a reduction over all ranks, as one rank sees it.
struct ReductionRound {
  Rank partner;
  bool sends;  ///< what it has before the round
  Incoming incoming;

  bool operator==(const ReductionRound&) const = default;
};

/// The rounds after which every rank has the combined values of all, in rank order.
///
///     0 1   2 3   4   5      the first pairs, so that a power of two is left: 0 2 4 5
///     0     2     4   5      0 with 2, 4 with 5
///     0     2     4   5      0 with 4, 2 with 5
///     0 1   2 3   4   5      back to 1 and 3
///
/// Each rank combines the same values in the same way, whatever the operation.
/// @cost floor(log2 P) rounds, and 2 more where P is no power of two
/// @source Thakur, Rabenseifner, Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49, 4.1
inline std::vector<ReductionRound> recursive_doubling(Rank rank, std::uint32_t n_ranks) {
  const std::uint32_t n = std::bit_floor(n_ranks);
  const std::uint32_t n_pairs = n_ranks - n;
  const std::uint32_t here = rank();
  std::vector<ReductionRound> rounds;
  const bool is_paired = here < 2 * n_pairs;
  const Rank neighbour(here ^ 1);
  if (is_paired && here % 2 == 1)
    return {{neighbour, true, Incoming::none}, {neighbour, false, Incoming::total}};
  if (is_paired) rounds.push_back({neighbour, false, Incoming::operand});
  const std::uint32_t place = is_paired ? here / 2 : here - n_pairs;
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    const std::uint32_t other = place ^ distance;
    rounds.push_back(
        {Rank(other < n_pairs ? 2 * other : other + n_pairs), true, Incoming::operand});
  }
  if (is_paired) rounds.push_back({neighbour, true, Incoming::none});
  return rounds;
}

}  // namespace thalweg::flow::detail
