// SPDX-License-Identifier: MIT
#include <thalweg/numerics/rows.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::numerics {
namespace {

TEST(ForEachInRow, visits_every_place_for_any_length) {
  for (int n = 0; n < 20; ++n) {
    std::vector<int> visits(20, 0);
    for_each_in_row(n, [at = visits.data()](int i) { at[i] += i + 1; });
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(visits[static_cast<std::size_t>(i)], i < n ? i + 1 : 0) << "n " << n;
  }
}

TEST(AnyInRow, finds_the_one_place_wherever_it_is) {
  for (int n = 1; n < 20; ++n)
    for (int hit = 0; hit < n; ++hit) EXPECT_TRUE(any_in_row(n, [hit](int i) { return i == hit; }));
  EXPECT_FALSE(any_in_row(7, [](int i) { return i == 7; }));
}

TEST(MaxInRow, is_the_largest_and_passes_over_nans) {
  const std::vector<double> x{1.0, std::nan(""), 5.0, 3.0, -7.0, 4.0, 2.0};

  EXPECT_EQ(max_in_row(7, 0.0, [at = x.data()](int i) { return at[i]; }), 5.0);
  EXPECT_EQ(max_in_row(7, 6.0, [at = x.data()](int i) { return at[i]; }), 6.0);
}

TEST(ForEachRowAlong, moves_along_its_axis_fastest) {
  const Box<3> box{{{4, 0, 0}}, {{9, 2, 3}}};
  std::vector<Index<3>> along_z;

  for_each_row_along(2, box, [&](const Index<3>& row) { along_z.push_back(row); });

  ASSERT_EQ(along_z.size(), 6u);
  EXPECT_EQ(along_z[0], (Index<3>{{4, 0, 0}}));
  EXPECT_EQ(along_z[1], (Index<3>{{4, 0, 1}}));
  EXPECT_EQ(along_z[3], (Index<3>{{4, 1, 0}}));
}

TEST(ForEachAxis, goes_through_the_axes_in_order) {
  std::vector<int> axes;
  for_each_axis<3>([&](auto axis) { axes.push_back(axis); });
  EXPECT_EQ(axes, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace thalweg::numerics
