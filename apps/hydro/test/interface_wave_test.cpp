// SPDX-License-Identifier: MIT
#include <thalweg/hydro/interface_wave.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace thalweg::hydro {
namespace {

constexpr Corners<3> domain{{{-0.25, 0.0, -0.3}}, {{0.25, 1.0, 0.5}}};

TEST(InterfaceWave, has_no_divergence_and_stands_still_at_the_walls) {
  const auto waves = interface_waves<3>(domain, {{1, 2, 0}}, 0.1, WaveMode::random);
  EXPECT_EQ(waves.size(), 5u);  // 2 x 3 pairs but (0, 0)
  for (const Vec<3> x : {Vec<3>{{0.1, 0.2, 0.3}}, Vec<3>{{-0.2, 0.9, -0.1}}}) {
    const double h = 1e-4;
    double divergence = 0;
    for (int a = 0; a < 3; ++a)
      divergence += (velocity_of(waves, x + h * Vec<3>::unit(a))[a] -
                     velocity_of(waves, x - h * Vec<3>::unit(a))[a]) /
                    (2 * h);
    EXPECT_NEAR(divergence, 0.0, 1e-6);
  }
  EXPECT_NEAR(velocity_of(waves, {{0.1, 0.2, 0.5}})[2], 0.0, 1e-15);
  EXPECT_NEAR(velocity_of(waves, {{0.1, 0.2, -0.3}})[2], 0.0, 1e-15);
}

TEST(InterfaceWave, single_has_crests_of_the_speed_asked_for_at_the_sides) {
  const auto waves =
      interface_waves<2>({{{-0.25, -0.5}}, {{0.25, 0.5}}}, {{1, 0}}, 0.1, WaveMode::single);
  EXPECT_NEAR(velocity_of(waves, {{-0.25, 0.0}})[1], 0.1, 1e-15);
  EXPECT_NEAR(velocity_of(waves, {{0.25, 1e-9}})[1], 0.1, 1e-8);
  EXPECT_NEAR(velocity_of(waves, {{0.0, 0.0}})[1], -0.1, 1e-15);
}

TEST(InterfaceWave, moves_in_opposite_directions_along_the_two_sides) {
  const auto waves =
      interface_waves<2>({{{-0.25, -0.5}}, {{0.25, 0.5}}}, {{1, 0}}, 0.1, WaveMode::single);
  const Vec<2> above = velocity_of(waves, {{-0.125, 1e-9}});
  const Vec<2> below = velocity_of(waves, {{-0.125, -1e-9}});
  EXPECT_GT(std::abs(above[0]), 0.09);
  EXPECT_NEAR(above[0], -below[0], 1e-9);
}

}  // namespace
}  // namespace thalweg::hydro
