// SPDX-License-Identifier: MIT
#include <numbers>

#include <gtest/gtest.h>

#include "exact_sedov.hpp"

namespace thalweg::hydro::test {
namespace {

TEST(ExactSedov, has_the_published_energy_integral) {
  // Kamm and Timmes, table 2: spherical, uniform density, gamma 1.4.
  EXPECT_NEAR(ExactSedov({}).alpha(), 0.851072, 2e-6);
}

TEST(ExactSedov, has_the_published_shock_radius) {
  EXPECT_NEAR(ExactSedov({.energy = 0.851072}).shock_radius(1.0), 1.0, 1e-6);
  EXPECT_NEAR(ExactSedov({}).shock_radius(0.05), 0.31160, 1e-5);
}

TEST(ExactSedov, jumps_as_a_strong_shock) {
  const ExactSedov sedov({});
  const double t = 0.05, r = sedov.shock_radius(t), speed = 0.4 * r / t;
  const auto inside = sedov.at(r * (1 - 1e-12), t);
  EXPECT_NEAR(inside.rho, 6.0, 1e-6);
  EXPECT_NEAR(inside.vel[0], speed / 1.2, 1e-6);
  EXPECT_NEAR(inside.p, speed * speed / 1.2, 1e-6);
  EXPECT_EQ(sedov.at(r * (1 + 1e-12), t).vel[0], 0.0);
}

TEST(ExactSedov, holds_the_mass_it_swept_up_and_the_energy) {
  const ExactSedov sedov({.gamma = 5.0 / 3.0, .energy = 2.0, .rho = 3.0});
  const double t = 0.1, r = sedov.shock_radius(t);
  double mass = 0, energy = 0;
  constexpr int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n * r, shell = 4 * std::numbers::pi * x * x * r / n;
    const auto w = sedov.at(x, t);
    mass += w.rho * shell;
    energy += (0.5 * w.rho * w.vel[0] * w.vel[0] + 1.5 * w.p) * shell;
  }
  EXPECT_NEAR(mass / (4.0 / 3.0 * std::numbers::pi * r * r * r * 3.0), 1.0, 1e-4);
  EXPECT_NEAR(energy, 2.0, 1e-4);
}

TEST(ExactSedov, is_empty_and_hot_at_the_centre) {
  const auto w = ExactSedov({}).at(0.0, 0.05);
  EXPECT_LT(w.rho, 1e-10);
  EXPECT_LT(w.vel[0], 1e-10);
  EXPECT_GT(w.p, 1.0);
}

}  // namespace
}  // namespace thalweg::hydro::test
