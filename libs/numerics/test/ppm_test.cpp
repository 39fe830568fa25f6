// SPDX-License-Identifier: MIT
#include <thalweg/numerics/ppm.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::numerics {
namespace {

/// The averages of x^3 - 3 b x over the cells of width 1 centred at c-2 ... c+2.
Stencil<2> averages_of_cubic(double b, double c) {
  Stencil<2> q;
  for (std::size_t s = 0; s < q.size(); ++s) {
    const double lo = c + static_cast<double>(s) - 2.5, hi = lo + 1;
    q[s] = 0.25 * (std::pow(hi, 4) - std::pow(lo, 4)) - 1.5 * b * (hi * hi - lo * lo);
  }
  return q;
}
double cubic(double b, double x) {
  return x * x * x - 3 * b * x;
}

template <class Rule>
class PpmTest : public testing::Test {};
using Rules = testing::Types<PpmClassic, PpmExtrema>;
TYPED_TEST_SUITE(PpmTest, Rules);

TYPED_TEST(PpmTest, is_exact_on_a_monotonic_cubic) {
  const Edges edges = TypeParam::edges(averages_of_cubic(-10.0, 4.0));
  EXPECT_NEAR(edges.lower, cubic(-10.0, 3.5), 1e-12);
  EXPECT_NEAR(edges.upper, cubic(-10.0, 4.5), 1e-12);
}

TYPED_TEST(PpmTest, is_the_average_to_the_bit_in_a_constant) {
  SplitMix64 random(3);
  for (int n = 0; n < 100; ++n) {
    const double q = random.uniform();
    const Edges edges = TypeParam::edges({q, q, q, q, q});
    EXPECT_EQ(edges.lower, q);
    EXPECT_EQ(edges.upper, q);
  }
}

TYPED_TEST(PpmTest, mirrors_to_the_bit) {
  SplitMix64 random(1);
  for (int n = 0; n < 10000; ++n) {
    Stencil<2> q;
    for (double& value : q) value = random.uniform();
    const Edges edges = TypeParam::edges(q);
    std::ranges::reverse(q);
    const Edges mirrored = TypeParam::edges(q);
    ASSERT_EQ(edges.lower, mirrored.upper);
    ASSERT_EQ(edges.upper, mirrored.lower);
  }
}

TYPED_TEST(PpmTest, is_flat_at_an_extremum_that_is_noise) {
  const Edges edges = TypeParam::edges({1.0, 0.0, 1.0, 0.0, 1.0});
  EXPECT_EQ(edges.lower, 1.0);
  EXPECT_EQ(edges.upper, 1.0);
}

TYPED_TEST(PpmTest, does_not_overshoot_a_jump) {
  for (const Stencil<2> q : {Stencil<2>{1, 1, 1, 0, 0}, Stencil<2>{1, 1, 0, 0, 0}}) {
    const Edges edges = TypeParam::edges(q);
    EXPECT_EQ(edges.lower, q[2]);
    EXPECT_EQ(edges.upper, q[2]);
  }
}

TEST(PpmClassic, stays_between_the_neighbours) {
  SplitMix64 random(2);
  for (int n = 0; n < 10000; ++n) {
    Stencil<2> q;
    for (double& value : q) value = random.uniform();
    const Edges edges = PpmClassic::edges(q);
    const auto [least, most] = std::minmax({q[1], q[2], q[3]});
    constexpr double rounding = 1e-15;
    EXPECT_GE(std::min(edges.lower, edges.upper), least - rounding);
    EXPECT_LE(std::max(edges.lower, edges.upper), most + rounding);
  }
}

TEST(PpmClassic, clips_a_smooth_extremum) {
  const Stencil<2> q = averages_of_cubic(1.0, 1.0);  // the minimum lies in the middle cell
  EXPECT_EQ(PpmClassic::edges(q).lower, q[2]);
  EXPECT_EQ(PpmClassic::edges(q).upper, q[2]);
}

TEST(PpmExtrema, keeps_a_smooth_extremum) {
  // The third derivative is small here: second derivatives are alike in all cells.
  const Stencil<2> q = averages_of_cubic(100.0, 10.0);
  EXPECT_NEAR(PpmExtrema::edges(q).lower, cubic(100.0, 9.5), 1e-9);
  EXPECT_NEAR(PpmExtrema::edges(q).upper, cubic(100.0, 10.5), 1e-9);
}

TEST(PpmExtrema, limits_both_sides_of_a_plane_of_symmetry_alike_whatever_the_rounding) {
  const double top = 1006.819981119666, one_rounding_more = std::nextafter(top, 2000.0);
  const Edges below = PpmExtrema::edges({14.0, 364.0, top, one_rounding_more, 364.0});
  const Edges above = PpmExtrema::edges({364.0, top, one_rounding_more, 364.0, 14.0});
  EXPECT_NEAR(below.upper, above.lower, 1e-9);
  EXPECT_NEAR(below.lower, above.upper, 1e-9);
}

TEST(PpmExtrema, may_leave_the_positive_numbers) {
  // The averages of x^2 - 0.3 around zero are positive, but not its value there.
  const Edges edges = PpmExtrema::edges({61.0 / 30, 1.0 / 30, 1.0 / 30, 61.0 / 30, 181.0 / 30});
  EXPECT_NEAR(edges.lower, -0.3, 1e-14);
  static_assert(!PpmExtrema::is_bounded && PpmClassic::is_bounded);
}

}  // namespace
}  // namespace thalweg::numerics
