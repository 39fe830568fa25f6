// SPDX-License-Identifier: MIT
#include <thalweg/core/shared_list.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace thalweg {
namespace {

TEST(SharedList, copies_and_parts_are_the_same_memory) {
  const SharedList<int> list(std::vector<int>{1, 2, 3, 4, 5});
  const SharedList<int> copy = list;
  const SharedList<int> part = copy.part(1, 3);

  EXPECT_EQ(copy.data(), list.data());
  EXPECT_EQ(part.data(), list.data() + 1);
  EXPECT_EQ(part, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(part.back(), 4);
}

TEST(SharedList, a_part_keeps_what_it_is_part_of) {
  auto memory = std::make_shared<const int>(7);
  const std::weak_ptr<const int> watched = memory;
  std::optional<SharedList<int>> part =
      SharedList<int>(std::move(memory), std::size_t{1}, std::size_t{1}).part(0, 1);

  EXPECT_FALSE(watched.expired());
  part.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(SharedList, is_equal_where_values_are_whoever_holds_them) {
  const SharedList<int> list(std::vector<int>{1, 2});
  const auto memory = std::make_shared<const std::vector<int>>(std::vector<int>{1, 2});
  const SharedList<int> other(std::shared_ptr<const int>(memory, memory->data()), 2, 4);

  EXPECT_EQ(list, other);
  EXPECT_NE(list, list.part(0, 1));
  EXPECT_EQ(SharedList<int>(), std::vector<int>());
}

TEST(SharedList, counts_its_part_of_the_memory) {
  const SharedList<std::uint64_t> alone(std::vector<std::uint64_t>(10));
  const SharedList<std::uint64_t> together(
      std::shared_ptr<const std::uint64_t>(std::shared_ptr<void>(), alone.data()), 10, 3);

  EXPECT_EQ(alone.n_bytes(), 80u);
  EXPECT_EQ(together.n_bytes(), 27u);  // three of them hold all of it
}

}  // namespace
}  // namespace thalweg
