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

}  // namespace
}  // namespace thalweg::field
