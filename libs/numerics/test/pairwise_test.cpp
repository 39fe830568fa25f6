// SPDX-License-Identifier: MIT
#include <thalweg/numerics/pairwise.hpp>

#include <array>

#include <gtest/gtest.h>

namespace thalweg::numerics {
namespace {

TEST(SumPairwise, adds_neighbours_first) {
  // 1 is half a unit in the last place of 2^53: in sequence each 1 would be lost to rounding.
  EXPECT_EQ(sum_pairwise(std::array<double, 4>{0x1p53, 0.0, 1.0, 1.0}), 0x1p53 + 2.0);
}

TEST(SumPairwise, equal_numbers_give_an_exact_multiple) {
  std::array<double, 64> x;
  x.fill(0.1);
  EXPECT_EQ(sum_pairwise(x) / 64.0, 0.1);
}

TEST(PowerOf, multiplies) {
  EXPECT_EQ(power_of(4, 3), 64u);
  EXPECT_EQ(power_of(2, 0), 1u);
}

}  // namespace
}  // namespace thalweg::numerics
