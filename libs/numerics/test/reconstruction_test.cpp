// SPDX-License-Identifier: MIT
#include <thalweg/numerics/reconstruction.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::numerics {
namespace {

TEST(DonorCell, edges_are_the_average) {
  const Edges edges = DonorCell::edges({7.0});
  EXPECT_EQ(edges.lower, 7.0);
  EXPECT_EQ(edges.upper, 7.0);
}

TEST(PlmVanLeer, is_exact_on_a_straight_line) {
  const Edges edges = PlmVanLeer::edges({1.0, 3.0, 5.0});
  EXPECT_EQ(edges.lower, 2.0);
  EXPECT_EQ(edges.upper, 4.0);
}

TEST(PlmVanLeer, takes_the_harmonic_mean_of_the_slopes) {
  // slopes 1 and 3: harmonic mean 2*1*3/(1+3) = 1.5
  const Edges edges = PlmVanLeer::edges({0.0, 1.0, 4.0});
  EXPECT_EQ(edges.lower, 0.25);
  EXPECT_EQ(edges.upper, 1.75);
}

TEST(PlmVanLeer, is_flat_at_extrema_and_in_a_constant) {
  for (const Stencil<1> q : {Stencil<1>{0, 1, 0}, Stencil<1>{3, 1, 2}, Stencil<1>{1, 1, 1}}) {
    const Edges edges = PlmVanLeer::edges(q);
    EXPECT_EQ(edges.lower, q[1]);
    EXPECT_EQ(edges.upper, q[1]);
  }
}

TEST(PlmVanLeer, stays_between_the_neighbours) {
  SplitMix64 random(1);
  for (int n = 0; n < 10000; ++n) {
    const Stencil<1> q{random.uniform(), random.uniform(), random.uniform()};
    const Edges edges = PlmVanLeer::edges(q);
    const auto [least, most] = std::minmax({q[0], q[1], q[2]});
    constexpr double rounding = 1e-15;
    EXPECT_GE(std::min(edges.lower, edges.upper), least - rounding);
    EXPECT_LE(std::max(edges.lower, edges.upper), most + rounding);
  }
}

}  // namespace
}  // namespace thalweg::numerics
