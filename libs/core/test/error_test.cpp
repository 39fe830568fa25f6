// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return std::unexpected(Failure{"odd: " + std::to_string(n)});
  return n / 2;
}

TEST(Result, holds_the_value_or_the_failure) {
  EXPECT_EQ(half(4).value(), 2);
  ASSERT_FALSE(half(3));
  EXPECT_EQ(half(3).error().message, "odd: 3");
}

TEST(Error, carries_its_message_as_a_standard_exception) {
  try {
    throw Error("block_cells = 6 (must be even)");
  } catch (const std::exception& e) {
    EXPECT_STREQ(e.what(), "block_cells = 6 (must be even)");
  }
}

}  // namespace
}  // namespace thalweg
