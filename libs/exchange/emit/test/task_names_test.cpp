// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/task_names.hpp>

#include <string>

#include <gtest/gtest.h>

namespace thalweg::exchange {
namespace {

/// A what-if of predict adds " joined" to the name that a user gives.
TEST(TaskNames, of_joined_blocks_are_those_of_one_and_a_word) {
  for (const TaskNames& names : task_names::all)
    EXPECT_EQ(names.joined, names.alone + std::string(" joined"));
}

}  // namespace
}  // namespace thalweg::exchange
