// SPDX-License-Identifier: MIT
#include <thalweg/core/utf8.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Utf8Length, is_that_of_the_first_character) {
  EXPECT_EQ(utf8_length("ab"), 1u);
  EXPECT_EQ(utf8_length("\u00fcb"), 2u);
  EXPECT_EQ(utf8_length("\u20acb"), 3u);
  EXPECT_EQ(utf8_length("\U0001f30ab"), 4u);
}

TEST(Utf8Length, is_0_of_what_is_none) {
  // Within a character, cut off, longer than needed, a surrogate half, and beyond the last one.
  for (const char* text : {"\xbc", "\xc3", "\xc3z", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                           "\xf4\x90\x80\x80", "\xff"})
    EXPECT_EQ(utf8_length(text), 0u) << text;
}

}  // namespace
}  // namespace thalweg
