// SPDX-License-Identifier: MIT
#include <thalweg/mesh/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/mesh/block_lists.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
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

/// The most that a call takes of the heap at a time.
template <class F>
std::uint64_t most_bytes_of(F f) {
  thalweg::testing::restart_most_heap_bytes();
  const auto before = thalweg::testing::heap_bytes();
  f();
  return thalweg::testing::most_heap_bytes() - before;
}

constexpr std::size_t n_levels = 10;

TEST(Memory, of_a_rank_that_assigns_no_blocks_does_not_grow_with_ranks) {
  const Geometry<3> geometry;
  for (const int n_ranks : {1'000, 10'000}) {
    BlockLists<3> blocks{geometry, Rank(7), n_ranks};
    for (std::size_t l = 0; l < n_levels; ++l)
      blocks.lists.push_back({{}, {}, static_cast<int>(l), 0, 1'000'000});
    const auto most =
        most_bytes_of([&] { EXPECT_TRUE(assign_by_knapsack<3>(blocks, {}, 1 << 20).empty()); });
    EXPECT_LE(most, 4096u) << n_ranks << " ranks";
  }
}

TEST(Memory, of_a_rank_that_is_assigned_no_blocks_hardly_grows_with_ranks) {
  for (const int n_ranks : {1'000, 10'000}) {
    // Without a table of its own: what is left is what the function takes.
    Forest<3> forest = initial_routed_forest(Geometry<3>(), Rank(7), n_ranks);
    forest.levels = std::vector(n_levels, forest.levels[0]);
    const std::vector<RankRange> rank_ranges(n_levels * static_cast<std::size_t>(n_ranks));
    const std::vector<LevelPartition> partitions(n_levels);
    const auto most =
        most_bytes_of([&] { collect_assigned<3>(forest, {}, partitions, rank_ranges); });
    EXPECT_LE(most, 16'384u) << n_ranks << " ranks";
  }
}

/// One rank of several that share memory, which another has written.
struct BorrowingRank : testing::OneRank {
  NodeSharedArray<std::uint64_t> written;

  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&&) const {
    EXPECT_EQ(n_values, written.size());
    return written;
  }
};

TEST(Memory, of_the_first_leaves_table_is_taken_once_a_compute_node) {
  const LeafRules<3> rules{Geometry<3>({.root_blocks = {32, 32, 16}, .block_cells = 16})};
  constexpr int n_ranks = 10'000;
  constexpr std::size_t table_bytes = (n_ranks + 1) * sizeof(std::uint64_t);
  std::vector<std::uint64_t> splitters(n_ranks + 1);
  write_initial_splitters<3>(rules, 0, splitters);
  BorrowingRank collectives;
  collectives.written = splitters;

  LeafForest<3> shared, own;
  const auto shared_bytes =
      most_bytes_of([&] { shared = initial_leaves<3>(rules, 0, Rank(7), n_ranks, collectives); });
  const auto own_bytes =
      most_bytes_of([&] { own = initial_leaves<3>(rules, 0, Rank(7), n_ranks); });

  EXPECT_EQ(shared, own);
  EXPECT_LE(shared_bytes, 4096u);
  EXPECT_LE(own_bytes, table_bytes + 4096u) << "no room to spare";
}

}  // namespace
}  // namespace thalweg::mesh
