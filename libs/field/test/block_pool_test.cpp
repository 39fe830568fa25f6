// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <thalweg/field/block_pool.hpp>

namespace thalweg::field {
namespace {

// Two pools would hand out the same blocks.
static_assert(!std::is_copy_constructible_v<BlockPool> && std::is_move_constructible_v<BlockPool>);

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

TEST(BlockPool, wastes_little_of_what_it_takes) {
  for (const std::size_t cells_and_ghosts : {22, 24, 38, 40, 17}) {
    const std::size_t block_size = cells_and_ghosts * cells_and_ghosts * cells_and_ghosts * 5;
    BlockPool pool(block_size);
    std::vector<BlockPool::Block> blocks;
    blocks.push_back(pool.acquire());
    const std::size_t slab_bytes = pool.size_bytes();
    while (pool.size_bytes() == slab_bytes) blocks.push_back(pool.acquire());
    const std::size_t n_in_slab = blocks.size() - 1;
    EXPECT_LE(slab_bytes - n_in_slab * block_size * sizeof(double), slab_bytes / 32)
        << "cells of an edge: " << cells_and_ghosts;
  }
}

constexpr std::uintptr_t huge_page_bytes = std::uintptr_t{2} << 20;

// One slab after the other: the first of its blocks.
std::vector<std::uintptr_t> slabs_of(const std::vector<BlockPool::Block>& blocks,
                                     std::size_t per_slab) {
  std::vector<std::uintptr_t> slabs;
  for (std::size_t b = 0; b < blocks.size(); b += per_slab)
    slabs.push_back(reinterpret_cast<std::uintptr_t>(blocks[b].get()));
  return slabs;
}

TEST(BlockPool, slabs_begin_where_a_huge_page_can) {
  constexpr std::size_t per_slab = 16;  // of 128 KiB
  BlockPool pool(128 * 1024 / sizeof(double));
  std::vector<BlockPool::Block> blocks;
  for (std::size_t b = 0; b < 5 * per_slab; ++b) blocks.push_back(pool.acquire());

  EXPECT_EQ(pool.size_bytes(), 5 * huge_page_bytes);
  for (const std::uintptr_t slab : slabs_of(blocks, per_slab))
    EXPECT_EQ(slab % huge_page_bytes, 0u);
}

// The flags of the mapping that an address lies in: proc_pid_smaps(5). Empty where the system
// has none.
std::string flags_at(std::uintptr_t address) {
  std::ifstream smaps("/proc/self/smaps");
  bool is_there = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
      is_there = begin <= address && address < end;
    else if (is_there && line.starts_with("VmFlags:"))
      return line.substr(std::string_view("VmFlags:").size()) + " ";
  }
  return "";
}

TEST(BlockPool, asks_the_kernel_for_huge_pages_in_all_of_each_slab) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "the kernel has no transparent huge pages";
  constexpr std::size_t per_slab = 16;
  BlockPool pool(128 * 1024 / sizeof(double));
  std::vector<BlockPool::Block> blocks;
  for (std::size_t b = 0; b < 3 * per_slab; ++b) blocks.push_back(pool.acquire());
  if (flags_at(reinterpret_cast<std::uintptr_t>(blocks[0].get())).empty())
    GTEST_SKIP() << "the kernel does not say what it was asked for";

  for (const std::uintptr_t slab : slabs_of(blocks, per_slab))
    for (const std::uintptr_t byte : {slab, slab + huge_page_bytes - 1})
      EXPECT_NE(flags_at(byte).find(" hg "), std::string::npos) << flags_at(byte);
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

TEST(BlockPool, may_hand_out_addresses_without_memory) {
  constexpr std::size_t block_size = std::size_t{1} << 27;  // a gibibyte each
  BlockPool pool(block_size, BlockSource::addresses);
  std::vector<BlockPool::Block> blocks;
  for (int b = 0; b < 128; ++b) blocks.push_back(pool.acquire());

  EXPECT_EQ(pool.size_bytes(), 128 * block_size * sizeof(double)) << "as if there were memory";
  EXPECT_EQ(blocks[1].get() - blocks[0].get(), std::ptrdiff_t{block_size});
  double* const first = blocks[0].get();
  blocks[0].reset();
  EXPECT_EQ(pool.acquire().get(), first) << "and they are used again";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(first[0] = 1, "");
}

}  // namespace
}  // namespace thalweg::field
