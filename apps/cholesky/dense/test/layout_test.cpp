// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/layout.hpp>

#include <set>

#include <gtest/gtest.h>

namespace thalweg::cholesky {
namespace {

TEST(Layout, has_a_ragged_last_tile) {
  const Layout layout{.n = 10, .tile = 4};
  EXPECT_EQ(layout.n_tiles(), 3);
  EXPECT_EQ(layout.rows(0), 4);
  EXPECT_EQ(layout.rows(2), 2);
  EXPECT_EQ((Layout{.n = 8, .tile = 4}).rows(1), 4);
  EXPECT_EQ((Layout{.n = 0, .tile = 4}).n_tiles(), 0);
}

TEST(Layout, counts_rows_in_64_bits) {
  const Layout layout{.n = (std::int64_t{1} << 32) + 5, .tile = 8192};
  EXPECT_EQ(layout.n_tiles(), (1 << 19) + 1);
  EXPECT_EQ(layout.begin(1 << 19), std::int64_t{1} << 32);
  EXPECT_EQ(layout.rows(1 << 19), 5);
}

TEST(Layout, gives_each_tile_to_one_rank_in_turns) {
  const Layout layout{.n = 7, .tile = 1, .grid_rows = 2, .grid_columns = 3};
  std::set<std::pair<int, int>> seen;
  for (int r = 0; r < layout.n_ranks(); ++r)
    for_each_tile(layout, Rank(r), [&](int i, int j) {
      EXPECT_EQ(layout.owner(i, j), Rank(r));
      EXPECT_EQ(r, i % 2 * 3 + j % 3);
      EXPECT_GE(i, j);
      EXPECT_TRUE(seen.emplace(i, j).second);
    });
  EXPECT_EQ(seen.size(), 28U);
}

TEST(Layout, for_each_row_goes_from_the_first_that_is_asked_for) {
  const Layout layout{.n = 10, .tile = 1, .grid_rows = 3, .grid_columns = 2};
  std::vector<int> rows;
  for_each_row(layout, Rank(3), 1, 2, [&](int i) { rows.push_back(i); });
  EXPECT_EQ(rows, (std::vector<int>{4, 7}));
  for_each_row(layout, Rank(3), 2, 2, [&](int i) { rows.push_back(i); });
  EXPECT_EQ(rows.size(), 2U);
}

TEST(Readers, are_the_owners_of_what_a_tile_updates) {
  for (int p = 1; p <= 3; ++p)
    for (int q = 1; q <= 4; ++q) {
      const Layout layout{.n = 9, .tile = 1, .grid_rows = p, .grid_columns = q};
      for (int m = 0; m < 9; ++m)
        for (int k = 0; k <= m; ++k) {
          std::set<Rank> expected;
          if (m == k)
            for (int i = k + 1; i < 9; ++i) expected.insert(layout.owner(i, k));
          else
            for (int i = k + 1; i < 9; ++i)
              for (int j = k + 1; j <= i; ++j)
                if (i == m || j == m) expected.insert(layout.owner(i, j));
          expected.erase(layout.owner(m, k));
          const auto found = readers(layout, m, k);
          EXPECT_EQ(std::set<Rank>(found.begin(), found.end()), expected)
              << p << "x" << q << " (" << m << ", " << k << ")";
          EXPECT_EQ(found.size(), expected.size());
          EXPECT_LE(static_cast<int>(found.size()), p + q - 2);
          expected.insert(layout.owner(m, k));
          for (const Rank rank : expected) EXPECT_TRUE(may_hold(layout, rank, m));
        }
    }
}

}  // namespace
}  // namespace thalweg::cholesky
