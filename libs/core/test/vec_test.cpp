// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <thalweg/core/vec.hpp>

namespace thalweg {
namespace {

TEST(Vec, arithmetic_is_component_by_component) {
  const Vec<3> u{{1, 2, 3}}, v{{0.5, -1, 4}};

  EXPECT_EQ(u + v, (Vec<3>{{1.5, 1, 7}}));
  EXPECT_EQ(u - v, (Vec<3>{{0.5, 3, -1}}));
  EXPECT_EQ(2.0 * u, (Vec<3>{{2, 4, 6}}));
  EXPECT_EQ(u * 2.0, 2.0 * u);
  EXPECT_EQ(u * v, (Vec<3>{{0.5, -2, 12}}));
  EXPECT_EQ(dot(u, v), 10.5);
  EXPECT_EQ(product(u), 6);
}

TEST(Vec, filled_and_unit_name_their_axes) {
  EXPECT_EQ(Index<2>::filled(7), (Index<2>{{7, 7}}));
  EXPECT_EQ(Index<3>::unit(1), (Index<3>{{0, 1, 0}}));
  EXPECT_EQ(Index<3>{}, (Index<3>{{0, 0, 0}}));
  EXPECT_EQ(axis_name(1), 'y');
}

TEST(Vec, order_is_that_of_the_first_component_that_differs) {
  EXPECT_LT((Index<2>{{1, 9}}), (Index<2>{{2, 0}}));
  EXPECT_LT((Index<2>{{1, 0}}), (Index<2>{{1, 1}}));
}

TEST(FloorDiv, rounds_down_for_every_sign) {
  for (int a = -50; a <= 50; ++a)
    for (int b = 1; b <= 9; ++b)
      EXPECT_EQ(floor_div(a, b), static_cast<int>(std::floor(static_cast<double>(a) / b)));
  EXPECT_EQ(floor_div(Index<2>{{-1, 5}}, 2), (Index<2>{{-1, 2}}));
  EXPECT_EQ(floor_div(Index<2>{{-1, 5}}, Index<2>{{4, 3}}), (Index<2>{{-1, 1}}));
}

}  // namespace
}  // namespace thalweg
