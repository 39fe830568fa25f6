// SPDX-License-Identifier: MIT
#include <thalweg/numerics/restrict.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

template <int D>
void expect_equal_children_give_their_value(int ratio) {
  const Box<D> region{Index<D>::filled(-2), Index<D>::filled(3)};
  test::Owned<D> fine(region.refined(ratio), 2), coarse(region, 2);
  SplitMix64 random(3);
  coarse.fill([&](int, const Index<D>&) { return random.uniform(); });
  fine.fill([&](int c, const Index<D>& i) { return coarse[c, floor_div(i, ratio)]; });
  test::Owned<D> result(region, 2);

  restrict_cells(fine(), result(), region, ratio);

  for (int c = 0; c < 2; ++c)
    for_each(region, [&](const Index<D>& i) { EXPECT_EQ((result[c, i]), (coarse[c, i])); });
}

TEST(RestrictCells, equal_children_give_exactly_their_value) {
  for (const int ratio : {2, 4}) {
    expect_equal_children_give_their_value<1>(ratio);
    expect_equal_children_give_their_value<2>(ratio);
    expect_equal_children_give_their_value<3>(ratio);
  }
}

TEST(RestrictCells, is_the_mean_of_the_children) {
  test::Owned<2> fine(Box<2>::cube(4), 1), coarse(Box<2>::cube(2), 1);
  fine.fill([](int, const Index<2>& i) { return i[0] + 10.0 * i[1]; });

  restrict_cells(fine(), coarse(), Box<2>::cube(2), 2);

  EXPECT_EQ((coarse[0, Index<2>{{0, 0}}]), 5.5);
  EXPECT_EQ((coarse[0, Index<2>{{1, 0}}]), 7.5);
  EXPECT_EQ((coarse[0, Index<2>{{0, 1}}]), 25.5);
}

TEST(RestrictCells, leaves_cells_outside_the_region_alone) {
  test::Owned<1> fine(Box<1>::cube(8), 1), coarse(Box<1>::cube(4), 1);
  fine.fill([](int, const Index<1>&) { return 1.0; });
  coarse.fill([](int, const Index<1>&) { return 9.0; });

  restrict_cells(fine(), coarse(), Box<1>{{{1}}, {{3}}}, 2);

  EXPECT_EQ((coarse[0, Index<1>{{0}}]), 9.0);
  EXPECT_EQ((coarse[0, Index<1>{{1}}]), 1.0);
  EXPECT_EQ((coarse[0, Index<1>{{3}}]), 9.0);
}

}  // namespace
}  // namespace thalweg::numerics
