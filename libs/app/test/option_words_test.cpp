// SPDX-License-Identifier: MIT
#include <thalweg/app/option_words.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

const Choices<int> choices{{"one", 1}, {"two", 2}};

TEST(Choices, are_found_by_their_words) {
  EXPECT_STREQ(word_of(choices, 2), "two");
  EXPECT_EQ(value_of(choices, "two"), 2);
  EXPECT_THROW(value_of(choices, "three"), ContractViolation);
  Complaints complaints;
  int value = 0;
  choose(choices, "--number", "two", value, complaints);
  EXPECT_EQ(value, 2);
  EXPECT_NO_THROW(complaints.throw_if_any());
}

TEST(Choices, that_do_not_exist_are_complained_about_with_those_that_do) {
  Complaints complaints;
  int value = 7;
  choose(choices, "--number", "three", value, complaints);
  EXPECT_EQ(value, 7);
  try {
    complaints.throw_if_any();
    FAIL() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--number three"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("one, two"), std::string::npos);
  }
}

TEST(Help, is_asked_for_in_two_ways) {
  using Words = std::vector<std::string>;
  EXPECT_TRUE(asks_for_help(Words{"--n", "4", "--help"}));
  EXPECT_TRUE(asks_for_help(Words{"-h"}));
  EXPECT_FALSE(asks_for_help(Words{"--n", "4"}));
  EXPECT_FALSE(asks_for_help(Words{}));
}

TEST(Grid, is_numbers_with_an_x_between) {
  EXPECT_EQ(read_grid<2>("2x13"), (Index<2>{{2, 13}}));
  EXPECT_EQ(read_grid<3>("1x2x3"), (Index<3>{{1, 2, 3}}));
  for (const char* wrong : {"", "2", "2x", "x2", "2x0", "2x-1", "2x3x4", "2 x 3", "2x99999999999"})
    EXPECT_EQ(read_grid<2>(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace thalweg::app
