// SPDX-License-Identifier: MIT
#include <thalweg/flow/detail/growing.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include <thalweg/flow/detail/adjacency.hpp>
#include <thalweg/flow/detail/predecessors.hpp>

namespace thalweg::flow::detail {
namespace {

TEST(GrowingArray, holds_what_was_put_in_and_keeps_its_memory) {
  GrowingArray<int> array;
  std::vector<int> more(1000);
  std::iota(more.begin(), more.end(), 50'000);
  for (int i = 0; i < 50'000; ++i) array.push_back(i);
  array.append(more);

  ASSERT_EQ(array.size(), 51'000u);
  for (int i = 0; i < 51'000; ++i) ASSERT_EQ(array[static_cast<std::size_t>(i)], i);
  const int* place = array.begin();
  array.clear();
  EXPECT_TRUE(array.empty());
  array.resize(51'000, 7);
  EXPECT_EQ(array.begin(), place);
  EXPECT_EQ(array.back(), 7);
  const GrowingArray<int> moved = std::move(array);
  EXPECT_EQ(moved.part(3, 5).size(), 2u);
}

TEST(Predecessors, lists_have_no_duplicates_however_long_they_are) {
  Predecessors lists;
  for (const std::uint32_t n : {0u, 3u, 16u, 17u, 200u, 1u}) {
    lists.open();
    for (int repeat = 0; repeat < 3; ++repeat)
      for (std::uint32_t on = 0; on < n; ++on) lists.add(on * 5 % 1009);
  }

  std::size_t node = 0;
  for (const std::uint32_t n : {0u, 3u, 16u, 17u, 200u, 1u}) {
    ASSERT_EQ(lists[node].size(), n);
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(lists[node][i], i * 5 % 1009);
    ++node;
  }
  EXPECT_EQ(lists.n_edges(), 237u);
}

TEST(Adjacency, turns_lists_around_each_descending) {
  Predecessors lists;
  for (const std::vector<std::uint32_t>& on :
       std::vector<std::vector<std::uint32_t>>{{}, {0}, {1, 0}, {}, {0, 4}}) {
    lists.open();
    for (const std::uint32_t o : on) lists.add(o);
  }
  Adjacency successors;
  successors.assign(lists);

  const auto of = [&](std::uint32_t node) {
    return std::vector<std::uint32_t>(successors[node].begin(), successors[node].end());
  };
  EXPECT_EQ(of(0), (std::vector<std::uint32_t>{4, 2, 1}));
  EXPECT_EQ(of(1), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(of(3), (std::vector<std::uint32_t>{}));
  EXPECT_EQ(of(4), (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(successors.n_edges(), 5u);
}

}  // namespace
}  // namespace thalweg::flow::detail
