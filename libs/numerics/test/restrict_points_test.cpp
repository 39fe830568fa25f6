// SPDX-License-Identifier: MIT
#include <thalweg/numerics/restrict_points.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

TEST(RestrictPoints, a_coarse_node_is_the_fine_node_there) {
  for (const int ratio : {2, 4}) {
    const auto nodes = Centring<2>::node();
    const Box<2> coarse{{{-2, 1}}, {{3, 4}}};
    test::Owned<2> fine(nodes.points(coarse.refined(ratio)), 2), result(coarse, 2);
    SplitMix64 random(1);
    fine.fill([&](int, const Index<2>&) { return random.uniform(); });

    restrict_points(nodes, fine(), result(), coarse, {}, ratio);

    for_each(coarse, [&](const Index<2>& i) {
      EXPECT_EQ((result[0, i]), (fine[0, i * ratio]));
      EXPECT_EQ((result[1, i]), (fine[1, i * ratio]));
    });
  }
}

TEST(RestrictPoints, a_coarse_face_is_the_mean_of_the_fine_ones_on_it) {
  const auto faces = Centring<2>::face(0);
  test::Owned<2> fine(faces.points(Box<2>::cube(4)), 1), coarse(faces.points(Box<2>::cube(2)), 1);
  fine.fill([](int, const Index<2>& i) { return i[0] * i[0] + 10.0 * i[1]; });

  restrict_points(faces, fine(), coarse(), coarse().box(), {}, 2);

  EXPECT_EQ((coarse[0, {{0, 0}}]), 5);
  EXPECT_EQ((coarse[0, {{1, 1}}]), 4 + 25);
  EXPECT_EQ((coarse[0, {{2, 0}}]), 16 + 5);
}

TEST(RestrictPoints, equal_values_give_exactly_that_value_where_the_domain_wraps_too) {
  const auto faces = Centring<3>::face(2);
  const Box<3> region = faces.points(Box<3>::cube(2));
  const Index<3> shift{{4, -2, 6}};
  test::Owned<3> fine(faces.points(Box<3>::cube(2).shifted(shift).refined(4)), 1);
  test::Owned<3> coarse(region, 1), result(region, 1);
  SplitMix64 random(3);
  coarse.fill([&](int, const Index<3>&) { return random.uniform(); });
  fine.fill([&](int, const Index<3>& i) { return coarse[0, floor_div(i, 4) - shift]; });

  restrict_points(faces, fine(), result(), region, shift, 4);

  for_each(region, [&](const Index<3>& i) { EXPECT_EQ((result[0, i]), (coarse[0, i])); });
}

}  // namespace
}  // namespace thalweg::numerics
