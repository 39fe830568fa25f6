// SPDX-License-Identifier: MIT
#include <array>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>

namespace thalweg {
namespace {

TEST(JoinedText, has_a_separator_between_two_parts) {
  EXPECT_EQ(joined_text(std::vector<std::string>{}), "");
  EXPECT_EQ(joined_text(std::vector<std::string>{"rho"}), "rho");
  EXPECT_EQ(joined_text(std::vector<std::string>{"", "", "p"}), ", , p");
  EXPECT_EQ(joined_text(std::set<std::string>{"b", "a"}, " or "), "a or b");
  EXPECT_EQ(joined_text(std::array{"x", "y"}, "\n"), "x\ny");
}

TEST(JoinedText, gives_numbers_that_read_back_the_same) {
  EXPECT_EQ(joined_text(std::array{0.1, -2.0, 1e300, 1.0 / 3.0}),
            "0.1, -2, 1e+300, 0.3333333333333333");
  EXPECT_EQ(joined_text(std::array{2, -4, 2}, ","), "2,-4,2");
  EXPECT_EQ(joined_text(std::array{true, false}, " "), "true false");
  EXPECT_EQ(joined_text(std::string("xyz")), "x, y, z");
}

}  // namespace
}  // namespace thalweg
