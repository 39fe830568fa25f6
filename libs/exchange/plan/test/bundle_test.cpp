// SPDX-License-Identifier: MIT
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../src/detail.hpp"

namespace thalweg::exchange {
namespace {

struct Block {
  int number;
  std::int64_t cells;

  std::int64_t n_cells() const { return cells; }
  bool operator<(const Block& b) const { return number < b.number; }
};

/// Cells of the messages to rank 1 that n blocks of 64^3 cells go in.
std::vector<std::int64_t> messages_of(int n, int max_comm_tasks) {
  detail::ToPeers<Block> blocks;
  for (int i = 0; i < n; ++i) blocks.push_back({Rank(1), {i, 1 << 18}});
  std::vector<std::int64_t> cells;
  detail::bundle(
      blocks, max_comm_tasks,
      [&](Rank, const std::vector<Block>&, std::int64_t n_cells) { cells.push_back(n_cells); });
  return cells;
}

TEST(Bundle, has_as_many_messages_as_are_asked_for) {
  EXPECT_EQ(messages_of(6, 2), (std::vector<std::int64_t>{3 << 18, 3 << 18}));
  EXPECT_EQ(messages_of(3, 0).size(), 3U);
  EXPECT_EQ(messages_of(3, 8).size(), 3U);
}

TEST(Bundle, has_more_where_one_would_be_too_long_for_mpi) {
  // 800 blocks of 5 numbers a cell are 7.8 GiB.
  for (const std::int64_t cells : messages_of(800, 2)) EXPECT_LT(cells * 5 * 8, 0x7fffffff);
  EXPECT_GE(messages_of(800, 2).size(), 4U);
  EXPECT_EQ(messages_of(6, 1).size(), 2U);  // one and a half of what is too much
}

TEST(Bundle, has_none_that_is_too_long_just_below_where_there_are_more) {
  for (int n = 1; n <= 40; ++n)
    for (const std::int64_t cells : messages_of(n, 1))
      EXPECT_LT(cells * 120 * 8, 0x7fffffff) << n << " blocks of 120 numbers a cell";
}

}  // namespace
}  // namespace thalweg::exchange
