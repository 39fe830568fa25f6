// SPDX-License-Identifier: MIT
#include <thalweg/step/step_sums.hpp>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

TEST(StepSums, add_up_member_by_member) {
  const StepSums one{.work_s = 1, .end_s = 2, .memory_bytes = 3, .fallbacks = {4, 5, 6}};
  const StepSums other{.work_s = 10, .end_s = 20, .memory_bytes = 30, .fallbacks = {40, 50, 60}};
  EXPECT_EQ(one + other,
            (StepSums{.work_s = 11, .end_s = 22, .memory_bytes = 33, .fallbacks = {44, 55, 66}}));
}

}  // namespace
}  // namespace thalweg::step
