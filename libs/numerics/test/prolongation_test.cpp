// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolongation.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

constexpr Box<2> fine_box{{{-3, 1}}, {{5, 4}}};

/// What a rule makes of one coarse function, from just the cells that it may read; NaN where it
/// read others.
void make(const Prolongation& rule, test::Owned<2>& fine) {
  test::Owned<2> coarse(fine_box.coarsened(2).grown(rule.reach()), 1);
  coarse.fill([](int, const Index<2>& i) { return 5.0 + i[0] * i[0] + 0.3 * i[1]; });
  prolong(test::Advection<2>{}, rule, coarse(), fine(), fine_box, 2);
}

TEST(Prolong, reads_no_further_than_the_rule_reaches) {
  for (const auto order : {ProlongOrder::constant, ProlongOrder::linear, ProlongOrder::parabolic}) {
    test::Owned<2> fine(fine_box, 1);
    make({.order = order}, fine);
    for_each(fine_box, [&](const Index<2>& i) { EXPECT_TRUE(std::isfinite(fine[0, i])); });
  }
}

TEST(Prolong, follows_the_rule) {
  test::Owned<2> constant(fine_box, 1), central(fine_box, 1), minmod(fine_box, 1),
      parabolic(fine_box, 1);
  make({.order = ProlongOrder::constant}, constant);
  make({}, central);
  make({.limiter = SlopeLimiter::minmod}, minmod);
  make({.order = ProlongOrder::parabolic}, parabolic);
  const Index<2> i{{4, 2}};  // above the middle of coarse cell (2, 1): 9.3, next to it 6.3 and 14.3
  EXPECT_EQ((constant[0, i]), 9.3);
  EXPECT_DOUBLE_EQ((central[0, i]), 9.3 - 4.0 / 4 - 0.3 / 4);
  EXPECT_DOUBLE_EQ((minmod[0, i]), 9.3 - 3.0 / 4 - 0.3 / 4);
  EXPECT_DOUBLE_EQ((parabolic[0, i]), 9.3 - 4.0 / 4 - 0.3 / 4);  // at ratio 2 the bend cancels
}

TEST(SlopeMinmod, is_the_smaller_difference_and_none_at_an_extremum) {
  EXPECT_EQ(slope_minmod(0.0, 1.0, 10.0), 1.0);
  EXPECT_EQ(slope_minmod(10.0, 4.0, 3.0), -1.0);
  EXPECT_EQ(slope_minmod(0.0, 1.0, 0.0), 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
