// SPDX-License-Identifier: MIT
#include <thalweg/core/fused.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Fused, rounds_once) {
  const double x = 1 + 0x1p-30;  // its square has a digit 2^-60 that a product loses
  EXPECT_EQ(fused(x, x, -(1 + 0x1p-29)), 0x1p-60);
}

}  // namespace
}  // namespace thalweg
