// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/grid.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

TEST(Grid, has_points_at_both_ends_but_the_periodic_one) {
  const Grid grid{.nx = 8, .nv = 4, .length = 2, .v_max = 3};

  EXPECT_EQ(grid.dx(), 0.25);
  EXPECT_EQ(grid.x(7), 1.75);
  EXPECT_EQ(grid.v(0), -3);
  EXPECT_EQ(grid.v(2), 0);
}

TEST(Cuts, have_a_shorter_last_part) {
  const Cuts cuts(10, 4);

  EXPECT_EQ(cuts.n_parts(), 3);
  EXPECT_EQ(cuts.size(0), 4);
  EXPECT_EQ(cuts.size(2), 2);
  EXPECT_EQ(cuts.part_of(8), 2);
  EXPECT_EQ(Cuts(3, 64).longest(), 3);
}

TEST(Pieces, wrap_around_as_often_as_they_must) {
  EXPECT_EQ(pieces(Cuts(10, 4), -2, 5),
            (std::vector<Piece>{{2, 0, 0, 2}, {0, 0, 2, 4}, {1, 0, 6, 1}}));
  EXPECT_EQ(pieces(Cuts(2, 2), -3, 3),
            (std::vector<Piece>{{0, 1, 0, 1}, {0, 0, 1, 2}, {0, 0, 3, 2}, {0, 0, 5, 1}}));
}

}  // namespace
}  // namespace thalweg::vlasov
