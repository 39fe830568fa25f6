// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/halo.hpp>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

TEST(NeededHalo, is_3_and_the_whole_cells_of_the_longest_shift_with_degree_5) {
  EXPECT_EQ(needed_halo({0, 0}, 5), 3);
  EXPECT_EQ(needed_halo({-0.9, 0.9}, 5), 3);
  EXPECT_EQ(needed_halo({-2.5, 0}, 5), 5);
  EXPECT_EQ(needed_halo({0, 2.5}, 5), 5);
  EXPECT_EQ(needed_halo({-0.9, 0.9}, 3), 2);
  EXPECT_EQ(needed_halo({-0.9, 0.9}, 7), 4);
}

// A foot on a point reads one point less below than above it.
TEST(NeededHalo, is_less_where_a_foot_is_on_a_point_below) {
  EXPECT_EQ(needed_halo({-1, 0}, 5), 3);
  EXPECT_EQ(needed_halo({0, 1}, 5), 4);
}

TEST(NeededHalo, of_feet_beyond_all_halos_is_wider_than_any) {
  EXPECT_GT(needed_halo({-1e300, 0}, 5), widest_halo);
  EXPECT_GT(needed_halo({0, 1e300}, 5), widest_halo);
}

}  // namespace
}  // namespace thalweg::vlasov
