// SPDX-License-Identifier: MIT
#include <thalweg/core/cut.hpp>

#include <numeric>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/random.hpp>

namespace thalweg {
namespace {

using Cells = std::vector<std::int64_t>;
using Cuts = std::vector<std::size_t>;

TEST(CutEvenly, equal_items_are_spread_equally) {
  EXPECT_EQ(cut_evenly(Cells{5, 5, 5, 5, 5, 5}, 3), (Cuts{0, 2, 4, 6}));
  EXPECT_EQ(cut_evenly(Cells{1, 1, 1, 1, 1}, 1), (Cuts{0, 5}));
  EXPECT_EQ(cut_evenly(Cells{9, 1, 100}, 3), (Cuts{0, 1, 2, 3}));
}

TEST(CutEvenly, a_large_item_gets_a_part_to_itself) {
  EXPECT_EQ(cut_evenly(Cells{1000, 1, 1, 1}, 2), (Cuts{0, 1, 4}));
  EXPECT_EQ(cut_evenly(Cells{1, 1, 1, 1000}, 2), (Cuts{0, 3, 4}));
  EXPECT_EQ(cut_evenly(Cells{3, 4, 3}, 2), (Cuts{0, 1, 3}));  // the middle of 4 is no nearer
}

TEST(CutEvenly, parts_are_never_empty_and_near_the_mean) {
  SplitMix64 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    Cells cells(1 + random.below(40));
    for (std::int64_t& n : cells) n = static_cast<std::int64_t>(1 + random.below(100));
    const std::size_t n_parts = 1 + random.below(cells.size());
    const std::int64_t total = std::accumulate(cells.begin(), cells.end(), std::int64_t{0});

    const Cuts cuts = cut_evenly(cells, n_parts);

    ASSERT_EQ(cuts.size(), n_parts + 1);
    EXPECT_EQ(cuts.front(), 0u);
    EXPECT_EQ(cuts.back(), cells.size());
    for (std::size_t part = 0; part < n_parts; ++part) {
      ASSERT_LT(cuts[part], cuts[part + 1]);
      const auto first = cells.begin() + static_cast<std::ptrdiff_t>(cuts[part]);
      const auto last = cells.begin() + static_cast<std::ptrdiff_t>(cuts[part + 1]);
      // Each end is off by half an item, unless parts with one item each leave no choice.
      EXPECT_LE(std::accumulate(first, last, std::int64_t{0}),
                total / static_cast<std::int64_t>(n_parts) + 101);
    }
  }
}

TEST(CutEvenly, more_parts_than_items_is_a_broken_contract) {
  EXPECT_THROW(cut_evenly(Cells{1, 1}, 3), ContractViolation);
  EXPECT_THROW(cut_evenly(Cells{1, 1}, 0), ContractViolation);
}

}  // namespace
}  // namespace thalweg
