// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/key_index.hpp>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

TEST(KeyIndex, finds_what_was_put_in_and_nothing_else) {
  KeyIndex index(3000);
  for (int level = 0; level < 3; ++level)
    for (std::uint64_t code = 0; code < 1000; ++code)
      index.insert({level, 8 * code},
                   static_cast<std::uint32_t>(1000 * level) + static_cast<std::uint32_t>(code));
  for (int level = 0; level < 3; ++level)
    for (std::uint64_t code = 0; code < 1000; ++code) {
      EXPECT_EQ(index.find({level, 8 * code}), 1000u * static_cast<unsigned>(level) + code);
      EXPECT_FALSE(index.find({level, 8 * code + 1}));
      EXPECT_FALSE(index.find({level + 3, 8 * code}));
    }
}

TEST(KeyIndex, can_be_empty) {
  EXPECT_FALSE(KeyIndex().find({0, 0}));
}

}  // namespace
}  // namespace thalweg::miniamr
