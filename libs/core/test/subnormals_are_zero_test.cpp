// SPDX-License-Identifier: MIT
#include <thalweg/core/subnormals_are_zero.hpp>

#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

#if defined(__x86_64__) || defined(__aarch64__)

// Numbers that the compiler does not know.
const volatile double least = std::numeric_limits<double>::min();
const volatile double subnormal = std::numeric_limits<double>::denorm_min();

TEST(SubnormalsAreZero, AsResultsAndAsOperands) {
  {
    const SubnormalsAreZero here;
    EXPECT_EQ(least * 0.5, 0);
    EXPECT_EQ(subnormal * 1e300, 0);
    EXPECT_EQ(least * 2, 2 * std::numeric_limits<double>::min());
  }
  EXPECT_GT(least * 0.5, 0);
  EXPECT_GT(subnormal * 1e300, 0);
}

TEST(SubnormalsAreZero, UntilTheOuterOneEnds) {
  const SubnormalsAreZero outer;
  {
    const SubnormalsAreZero inner;
  }
  EXPECT_EQ(least * 0.5, 0);
}

#endif

}  // namespace
}  // namespace thalweg
