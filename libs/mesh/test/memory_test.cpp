// SPDX-License-Identifier: MIT
#include <thalweg/mesh/memory.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

/// What a copy takes of the heap, over what it says; its lists have no room to spare. The heap
/// gives some bytes more than it is asked for.
/// @param n_shared  bytes that a copy counts and shares
template <class T>
void expect_counted(const T& value, std::size_t n_shared) {
  const auto before = thalweg::testing::heap_bytes();
  const T copy = value;
  const auto taken = thalweg::testing::heap_bytes() - before;
  EXPECT_LE(n_bytes(copy), taken + n_shared);
  EXPECT_GE(n_bytes(copy) + 512, taken + n_shared);
}

TEST(Memory, of_forests_and_neighbours_is_what_the_heap_gives) {
  for (const Partitioner partitioner : {Partitioner::morton, Partitioner::round_robin}) {
    testing::Case<2> c = testing::cases<2>()[2];
    c.geometry.root_blocks = {{40, 40}};  // so that what the heap adds does not count
    c.partitioner = partitioner;
    const auto worlds = testing::on_ranks(3, [&](Rank rank, auto exchange) {
      const auto forest = testing::random_forest(c, rank, 3, exchange);
      return std::pair(forest, find_neighbour_info(forest, exchange));
    });
    for (const auto& [forest, neighbours] : worlds) {
      EXPECT_GT(n_bytes(forest), 10'000u);
      std::size_t n_shared = 0;
      for (const auto& set : forest.levels) n_shared += n_bytes(set.directory.splitters());
      EXPECT_EQ(n_shared, forest.levels.size() * 4 * sizeof(std::uint64_t));
      expect_counted(forest, n_shared);
      expect_counted(neighbours, 0);
    }
  }
}

}  // namespace
}  // namespace thalweg::mesh
