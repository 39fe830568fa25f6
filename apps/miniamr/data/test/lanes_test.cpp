// SPDX-License-Identifier: MIT
#include "../src/lanes.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::miniamr::data {
namespace {

void expect_true_quotients(double first) {
  double x = first;
  for (int i = 0; i < 50; ++i) {
    Lanes<4> lanes;
    for (int l = 0; l < 4; ++l) {
      lanes[l] = x;
      x = std::nextafter(x, std::numeric_limits<double>::infinity());
    }
    const auto quotients = divided_by_7(lanes);
    for (int l = 0; l < 4; ++l)
      ASSERT_EQ(quotients[l], lanes[l] / 7.0) << std::hexfloat << lanes[l];
  }
}

// What is left of a significand divided by 7 decides how the quotient is rounded: 200 numbers in a
// row have every rest.
TEST(DividedBy7, has_the_bits_of_a_division) {
  for (int exponent = -1010; exponent < 1020; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    expect_true_quotients(power);
    expect_true_quotients(std::nextafter(2 * power, 0));
    expect_true_quotients(7 * power);
  }
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) expect_true_quotients(7 * random.uniform());
}

TEST(DividedBy7, keeps_zero) {
  const auto zero = divided_by_7(Lanes<2>{});
  EXPECT_EQ(zero[0], 0.0);
  EXPECT_FALSE(std::signbit(zero[0]));
}

template <int Width>
void expect_row_is_covered() {
  std::vector<double> from(Width);
  std::iota(from.begin(), from.end(), 1.0);
  std::vector<double> to(Width, 0.0);
  RowPart<Width>::load(from.data()).store(to.data());
  EXPECT_EQ(to, from) << Width;
}

TEST(RowPart, covers_its_cells_whatever_its_width) {
  expect_row_is_covered<2>();
  expect_row_is_covered<4>();
  expect_row_is_covered<6>();
  expect_row_is_covered<10>();
  expect_row_is_covered<16>();
}

}  // namespace
}  // namespace thalweg::miniamr::data
