// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include <thalweg/field/block_pool.hpp>

namespace thalweg::field {
namespace {

TEST(BlockPool, blocks_are_aligned_and_do_not_overlap) {
  BlockPool pool(1001);
  std::vector<BlockPool::Block> blocks;

  for (int b = 0; b < 100; ++b) {
    blocks.push_back(pool.acquire());
    for (int i = 0; i < 1001; ++i) blocks.back()[static_cast<std::size_t>(i)] = b;
  }

  for (int b = 0; b < 100; ++b) {
    const auto& block = blocks[static_cast<std::size_t>(b)];
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % 64, 0u);
    for (std::size_t i = 0; i < 1001; ++i) ASSERT_EQ(block[i], b);
  }
}

TEST(BlockPool, released_blocks_are_reused_before_memory_is_taken) {
  BlockPool pool(4096);
  std::set<double*> first;
  {
    std::vector<BlockPool::Block> blocks;
    for (int b = 0; b < 500; ++b) blocks.push_back(pool.acquire());
    for (const auto& block : blocks) first.insert(block.get());
  }
  const std::size_t taken = pool.size_bytes();

  std::vector<BlockPool::Block> again;
  for (int b = 0; b < 500; ++b) again.push_back(pool.acquire());

  EXPECT_EQ(pool.size_bytes(), taken);
  for (const auto& block : again) EXPECT_TRUE(first.contains(block.get()));
}

TEST(BlockPool, knows_beforehand_what_it_will_take) {
  BlockPool pool(40'000);  // eight fill a slab nearly
  std::vector<BlockPool::Block> blocks;
  for (const std::size_t n_more : {1, 7, 1, 50, 0, 3}) {
    const std::size_t expected = pool.size_bytes_with(n_more);
    for (std::size_t i = 0; i < n_more; ++i) blocks.push_back(pool.acquire());
    EXPECT_EQ(pool.size_bytes(), expected);
  }
  blocks.clear();
  EXPECT_EQ(pool.size_bytes_with(62), pool.size_bytes());
  EXPECT_GT(pool.size_bytes_with(100), pool.size_bytes());
}

TEST(BlockPool, may_have_each_block_from_the_heap) {
  BlockPool pool(1001, BlockSource::heap);
  constexpr std::size_t block_bytes = 8064;  // 1001 numbers, up to a whole cache line
  auto first = pool.acquire();
  std::vector<BlockPool::Block> blocks;
  for (int b = 0; b < 9; ++b) blocks.push_back(pool.acquire());

  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.get()) % 64, 0u);
  EXPECT_EQ(pool.size_bytes(), 10 * block_bytes);
  EXPECT_EQ(pool.size_bytes_with(5), 15 * block_bytes);
  blocks.clear();
  EXPECT_EQ(pool.size_bytes(), block_bytes);
}

}  // namespace
}  // namespace thalweg::field
