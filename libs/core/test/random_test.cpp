// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <thalweg/core/random.hpp>

namespace thalweg {
namespace {

TEST(SplitMix64, gives_the_published_sequence) {
  // Vigna's splitmix64.c from seed 1234567, as in Rosetta Code.
  SplitMix64 random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u})
    EXPECT_EQ(random(), expected);
}

TEST(SplitMix64, below_stays_below_and_reaches_everything) {
  SplitMix64 random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 7000; ++i) ++counts.at(random.below(7));

  for (const int n : counts) EXPECT_NEAR(n, 1000, 150);
}

TEST(SplitMix64, uniform_fills_the_unit_interval) {
  SplitMix64 random(2);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
  }

  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

}  // namespace
}  // namespace thalweg
