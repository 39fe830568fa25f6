// SPDX-License-Identifier: MIT
#include <thalweg/flow/combine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace thalweg::flow {
namespace {

/// Folds all permutations of the values; every one must give these bits.
template <class Op>
void expect_always(std::vector<double> values, Op op, double expected) {
  std::sort(values.begin(), values.end(), [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) < std::bit_cast<std::uint64_t>(b);
  });
  do {
    double total = values[0];
    for (const double v : values) total = op(total, v);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(total), std::bit_cast<std::uint64_t>(expected));
  } while (std::next_permutation(values.begin(), values.end(), [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) < std::bit_cast<std::uint64_t>(b);
  }));
}

TEST(Combine, has_the_same_bits_in_any_order) {
  const double nan = std::numeric_limits<double>::quiet_NaN();

  expect_always({3, 1, 2, 1}, Min{}, 1);
  expect_always({3, 1, 2, 3}, Max{}, 3);
  expect_always({0.0, -0.0, 1}, Min{}, -0.0);
  expect_always({0.0, -0.0, -1}, Max{}, 0.0);
  expect_always({1, nan, -nan, 2}, Min{}, nan);
  expect_always({1, nan, -nan, 2}, Max{}, nan);
}

}  // namespace
}  // namespace thalweg::flow
