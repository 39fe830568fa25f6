// SPDX-License-Identifier: MIT
#include <thalweg/hydro/averages.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg::hydro {
namespace {

TEST(Averages, are_exact_for_polynomials_of_degree_five_along_each_axis) {
  const auto averages = averages_of(Euler<2>{}, [](const Vec<2>& x) {
    return Euler<2>::Primitive{1.0 + std::pow(x[0], 5) + std::pow(x[1], 4), {}, 1.0};
  });
  const auto u = averages({{{0.5, 1.5}}, {{1.0, 1.0}}});  // the cell [0, 1] x [1, 2]
  EXPECT_NEAR(u.rho, 1.0 + 1.0 / 6.0 + 31.0 / 5.0, 1e-14);
  EXPECT_NEAR(u.energy, 2.5, 1e-15);
}

TEST(Averages, are_of_what_is_conserved) {
  // Momentum, not speed, is averaged: half of the cell has density 1 and speed 1.
  const auto averages = averages_of(Euler<1>{}, [](const Vec<1>& x) {
    return Euler<1>::Primitive{1.0 + x[0], {{1.0 - x[0]}}, 1.0};
  });
  EXPECT_NEAR(averages({{{0.5}}, {{1.0}}}).mom[0], 2.0 / 3.0, 1e-15);  // of 1 - x^2
}

}  // namespace
}  // namespace thalweg::hydro
