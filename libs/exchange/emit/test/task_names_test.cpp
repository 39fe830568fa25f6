// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/task_names.hpp>

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

namespace thalweg::exchange {
namespace {

/// A what-if of predict adds " joined" to the name that a user gives.
TEST(TaskNames, of_joined_blocks_are_those_of_one_and_a_word) {
  for (const TaskNames& names : task_names::all) {
    const std::string joined = names.alone + std::string(" joined");
    EXPECT_EQ(names.of(1, 8), std::string(names.alone));
    EXPECT_EQ(names.of(2, 8), joined + " 2");
    EXPECT_EQ(names.of(4, 8), joined + " 4");
    for (const std::size_t n_all : {2, 4, 8}) EXPECT_EQ(names.of(n_all, n_all), joined);
  }
}

}  // namespace
}  // namespace thalweg::exchange
