// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/initial.hpp>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

TEST(Beam, has_its_density_drift_and_temperature) {
  const Beam beam{.density = 0.3, .drift = 4.5, .temperature = 0.25};
  double density = 0, momentum = 0, energy = 0;
  const double dv = 0.01;
  for (double v = 0; v < 9; v += dv) {
    density += dv * beam(v);
    momentum += dv * v * beam(v);
    energy += dv * (v - 4.5) * (v - 4.5) * beam(v);
  }

  EXPECT_NEAR(density, 0.3, 1e-12);
  EXPECT_NEAR(momentum, 0.3 * 4.5, 1e-12);
  EXPECT_NEAR(energy, 0.3 * 0.25, 1e-12);
}

TEST(Beam, may_be_multiplied_by_a_polynomial_in_v) {
  const Beam plain, polynomial{.a0 = 2. / 7, .a2 = 10. / 7};

  EXPECT_DOUBLE_EQ(polynomial(1.5), (2. / 7 + 10. / 7 * 2.25) * plain(1.5));
}

TEST(Initial, is_a_sum_of_beams_times_waves) {
  const Initial initial{.beams = {{}, {.drift = 1}}, .waves = {{1, 0.5}, {2, 0.25}}, .length = 4};

  EXPECT_DOUBLE_EQ(initial.of_v(0.5), Beam{}(0.5) + Beam{.drift = 1}(0.5));
  EXPECT_DOUBLE_EQ(initial.of_x(0), 1.75);
  EXPECT_DOUBLE_EQ(initial.of_x(2), 1 - 0.5 + 0.25);
}

}  // namespace
}  // namespace thalweg::vlasov
