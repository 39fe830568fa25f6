// SPDX-License-Identifier: MIT
#include <thalweg/core/dimensions.hpp>

#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

#define THALWEG_TEXT(D) text += #D
std::string compiled() {
  std::string text;
  THALWEG_FOR_DIMENSIONS(THALWEG_TEXT)
  return text;
}
#undef THALWEG_TEXT

/// A build with tests has all dimensions.
TEST(Dimensions, are_those_of_the_build) {
  EXPECT_EQ(compiled(), "123");
  for (const int D : {1, 2, 3}) EXPECT_TRUE(is_compiled(D));
  for (const int D : {0, 4}) EXPECT_FALSE(is_compiled(D));
}

}  // namespace
}  // namespace thalweg
