// SPDX-License-Identifier: MIT
#include <thalweg/core/counted.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Counted, OneThingIsNoPlural) {
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(16384, "rank"), "16384 ranks");
}

}  // namespace
}  // namespace thalweg
