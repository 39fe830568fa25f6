// SPDX-License-Identifier: MIT
#include <thalweg/mesh/sort_unique.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::mesh {
namespace {

TEST(SortUnique, sorts_and_keeps_one_of_each) {
  std::vector numbers{3, 1, 3, 2, 1};
  sort_unique(numbers);
  EXPECT_EQ(numbers, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace thalweg::mesh
