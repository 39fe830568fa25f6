// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/grid.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

using testing::global_point;
using testing::grids_of_ranks;

/// Columns with the number of each own row's point in the grid of all ranks, and no ghosts yet.
std::vector<double> numbered(const Grid& grid, Index<3> all) {
  std::vector<double> columns(static_cast<std::size_t>(grid.n_columns()), -1);
  for (std::int64_t row = 0; row < grid.n_rows(); ++row) {
    const Index<3> p = global_point(grid, row);
    columns[static_cast<std::size_t>(row)] = (p[2] * all[1] + p[1]) * all[0] + p[0];
  }
  return columns;
}

TEST(Grid, ghosts_are_the_points_around_a_rank) {
  const Index<3> n{{3, 2, 4}};
  for (const Index<3> ranks : grids_of_ranks({1, 2, 3, 4, 6, 27})) {
    const Index<3> all = n * ranks;
    std::vector<Grid> grids;
    std::vector<std::vector<double>> columns;
    for (int r = 0; r < product(ranks); ++r) {
      grids.emplace_back(n, ranks, Rank(r));
      columns.push_back(numbered(grids.back(), all));
    }
    for (std::size_t r = 0; r < grids.size(); ++r)
      for (const HaloMessage& message : grids[r].halo()) {
        // Each rank has one message with each neighbour, so this is the one that meets it.
        auto to = columns[r].begin() + message.received.begin;
        for (const HaloMessage& theirs : grids[message.peer()].halo())
          if (theirs.peer == Rank(r))
            for (const Rows rows : theirs.sent)
              for (std::int64_t row = rows.begin; row < rows.end; ++row)
                *to++ = columns[message.peer()][static_cast<std::size_t>(row)];
        ASSERT_EQ(to - columns[r].begin(), message.received.end);
      }
    for (std::size_t r = 0; r < grids.size(); ++r) {
      const Index<3> first = grids[r].position() * n;
      for (int z = -1; z <= n[2]; ++z)
        for (int y = -1; y <= n[1]; ++y)
          for (int x = -1; x <= n[0]; ++x) {
            const Index<3> p = first + Index<3>{{x, y, z}};
            bool is_inside = true;
            for (int a = 0; a < 3; ++a) is_inside = is_inside && p[a] >= 0 && p[a] < all[a];
            const auto column = grids[r].column({{x, y, z}});
            ASSERT_EQ(column.has_value(), is_inside);
            if (is_inside) {
              ASSERT_EQ(columns[r][static_cast<std::size_t>(*column)],
                        (p[2] * all[1] + p[1]) * all[0] + p[0]);
            }
          }
    }
  }
}

TEST(Grid, names_all_columns_that_rows_are_coupled_with) {
  const Index<3> n{{3, 4, 3}};
  for (const Index<3> ranks : grids_of_ranks({1, 4, 27}))
    for (int r = 0; r < product(ranks); ++r) {
      const Grid grid(n, ranks, Rank(r));
      for (std::int64_t first = 0; first < grid.n_lines(); ++first)
        for (std::int64_t last = first + 1; last <= grid.n_lines(); ++last) {
          const Rows rows{first * n[0], last * n[0]};
          const auto columns = grid.columns_of(rows);
          for (std::int64_t row = rows.begin; row < rows.end; ++row)
            for (int d = 0; d < 27; ++d) {
              const Index<3> p = global_point(grid, row) - grid.position() * n;
              const auto c = grid.column(p + Index<3>{{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}});
              if (!c) continue;
              EXPECT_TRUE(std::ranges::any_of(
                  columns, [&](Rows some) { return some.overlaps({*c, *c + 1}); }));
            }
        }
    }
  EXPECT_TRUE(Grid(n, {{1, 1, 1}}, Rank(0)).columns_of({3, 3}).empty());
}

TEST(Grid, names_few_columns_that_a_line_is_not_coupled_with) {
  const Grid grid({{10, 10, 10}}, {{1, 1, 1}}, Rank(0));
  for (std::int64_t line = 0; line < grid.n_lines(); ++line) {
    std::int64_t n = 0;
    for (const Rows rows : grid.columns_of({line * 10, line * 10 + 10})) n += rows.size();
    EXPECT_LE(n, 9 * 10) << line;
  }
}

TEST(Grid, right_hand_side_has_the_norm_of_the_specification) {
  for (const int n : {2, 5, 10}) {
    const Grid grid({{n, n, n}}, {{1, 1, 1}}, Rank(0));
    std::vector<double> b(static_cast<std::size_t>(grid.n_rows()));
    set_right_hand_side(grid, b);
    const double inner = n - 2;
    EXPECT_EQ(std::inner_product(b.begin(), b.end(), b.begin(), 0.0),
              inner * inner * inner + 600 * inner * inner + 3072 * inner + 3200);
  }
}

}  // namespace
}  // namespace thalweg::hpccg
