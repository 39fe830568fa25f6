// SPDX-License-Identifier: MIT
#include <thalweg/predict/noise.hpp>

#include <gtest/gtest.h>

namespace thalweg::predict {
namespace {

TEST(NoiseFactor, IsOneWithoutNoise) {
  EXPECT_EQ(Noise{}.factor(0.7), 1);
}

TEST(NoiseFactor, IsInterpolatedBetweenQuantiles) {
  const Noise noise{.kind = Noise::Kind::quantiles, .quantiles = {0.5, 1, 3}};
  EXPECT_DOUBLE_EQ(noise.factor(0), 0.5);
  EXPECT_DOUBLE_EQ(noise.factor(0.25), 0.75);
  EXPECT_DOUBLE_EQ(noise.factor(0.5), 1);
  EXPECT_DOUBLE_EQ(noise.factor(0.75), 2);
}

TEST(NoiseFactor, OfARankIsInterpolatedBetweenItsOwnQuantiles) {
  EXPECT_EQ(Noise{}.rank_factor(0.7), 1);
  const Noise noise{.rank_quantiles = {1, 2}};
  EXPECT_DOUBLE_EQ(noise.rank_factor(0.25), 1.25);
  EXPECT_EQ(noise.factor(0.25), 1);
}

TEST(NoiseFactor, HasATailWhoseMeanIsKnown) {
  const Noise noise{.kind = Noise::Kind::pareto, .scale = 0.2, .shape = 3};
  EXPECT_DOUBLE_EQ(noise.factor(0), 1);
  EXPECT_DOUBLE_EQ(noise.factor(0.875), 1.2);  // (1/8)^(-1/3) = 2
  double sum = 0;
  constexpr int n = 200'000;
  for (std::uint32_t i = 0; i < n; ++i) sum += noise.factor(uniform_of(1, 0, 0, i));
  EXPECT_NEAR(sum / n, 1 + 0.2 / 2, 0.005);
}

TEST(UniformNumbers, DependOnWhoAsks) {
  const double u = uniform_of(1, 2, 3, 4);
  EXPECT_GE(u, 0);
  EXPECT_LT(u, 1);
  EXPECT_EQ(u, uniform_of(1, 2, 3, 4));
  EXPECT_NE(u, uniform_of(2, 2, 3, 4));
  EXPECT_NE(u, uniform_of(1, 3, 3, 4));
  EXPECT_NE(u, uniform_of(1, 2, 4, 4));
  EXPECT_NE(u, uniform_of(1, 2, 3, 5));
}

}  // namespace
}  // namespace thalweg::predict
