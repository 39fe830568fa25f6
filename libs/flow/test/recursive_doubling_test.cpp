// SPDX-License-Identifier: MIT
// What comes of the rounds when they are run: libs/comm/test/sim_collective_test.cpp.
#include <thalweg/flow/detail/recursive_doubling.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace thalweg::flow::detail {
namespace {

using Rounds = std::vector<ReductionRound>;

TEST(RecursiveDoubling, is_nothing_on_one_rank) {
  EXPECT_TRUE(recursive_doubling(Rank(0), 1).empty());
}

TEST(RecursiveDoubling, of_three_ranks_begins_and_ends_with_a_pair) {
  EXPECT_EQ(recursive_doubling(Rank(0), 3), (Rounds{{Rank(1), false, Incoming::operand},
                                                    {Rank(2), true, Incoming::operand},
                                                    {Rank(1), true, Incoming::none}}));
  EXPECT_EQ(recursive_doubling(Rank(1), 3),
            (Rounds{{Rank(0), true, Incoming::none}, {Rank(0), false, Incoming::total}}));
  EXPECT_EQ(recursive_doubling(Rank(2), 3), (Rounds{{Rank(0), true, Incoming::operand}}));
}

TEST(RecursiveDoubling, takes_few_rounds_in_which_all_that_is_sent_is_received) {
  for (std::uint32_t n = 1; n <= 70; ++n) {
    std::vector<Rounds> rounds;
    for (std::uint32_t r = 0; r < n; ++r) rounds.push_back(recursive_doubling(Rank(r), n));
    std::size_t most = std::has_single_bit(n) ? 0 : 2;
    for (std::uint32_t reached = 2; reached <= n; reached *= 2) ++most;
    for (std::uint32_t r = 0; r < n; ++r) {
      EXPECT_LE(rounds[r].size(), most);
      for (std::uint32_t other = 0; other < n; ++other) {
        const auto n_sent = std::ranges::count_if(
            rounds[r], [&](const auto& round) { return round.sends && round.partner() == other; });
        const auto n_received = std::ranges::count_if(rounds[other], [&](const auto& round) {
          return round.incoming != Incoming::none && round.partner() == r;
        });
        EXPECT_EQ(n_sent, n_received) << n << " ranks, " << r << " to " << other;
      }
    }
  }
}

}  // namespace
}  // namespace thalweg::flow::detail
