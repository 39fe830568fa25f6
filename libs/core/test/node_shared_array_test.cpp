// SPDX-License-Identifier: MIT
#include <thalweg/core/node_shared_array.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace thalweg {
namespace {

TEST(NodeSharedArray, copies_and_parts_are_the_same_memory) {
  const NodeSharedArray<int> list(std::vector<int>{1, 2, 3, 4, 5});
  const NodeSharedArray<int> copy = list;
  const NodeSharedArray<int> part = copy.part(1, 3);

  EXPECT_EQ(copy.data(), list.data());
  EXPECT_EQ(part.data(), list.data() + 1);
  EXPECT_EQ(part, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(part.back(), 4);
}

TEST(NodeSharedArray, a_part_keeps_what_it_is_part_of) {
  auto memory = std::make_shared<const int>(7);
  const std::weak_ptr<const int> watched = memory;
  std::optional<NodeSharedArray<int>> part =
      NodeSharedArray<int>(std::move(memory), std::size_t{1}, std::size_t{1}).part(0, 1);

  EXPECT_FALSE(watched.expired());
  part.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(NodeSharedArray, is_equal_where_values_are_whoever_holds_them) {
  const NodeSharedArray<int> list(std::vector<int>{1, 2});
  const auto memory = std::make_shared<const std::vector<int>>(std::vector<int>{1, 2});
  const NodeSharedArray<int> other(std::shared_ptr<const int>(memory, memory->data()), 2, 4);

  EXPECT_EQ(list, other);
  EXPECT_NE(list, list.part(0, 1));
  EXPECT_EQ(NodeSharedArray<int>(), std::vector<int>());
}

TEST(NodeSharedArray, counts_its_part_of_the_memory) {
  const NodeSharedArray<std::uint64_t> alone(std::vector<std::uint64_t>(10));
  const NodeSharedArray<std::uint64_t> together(
      std::shared_ptr<const std::uint64_t>(std::shared_ptr<void>(), alone.data()), 10, 3);

  EXPECT_EQ(alone.n_bytes(), 80u);
  EXPECT_EQ(together.n_bytes(), 27u);  // three of them hold all of it
}

}  // namespace
}  // namespace thalweg
