// SPDX-License-Identifier: MIT
#include <thalweg/app/local_blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/collective.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

/// The sum of a component over a block, found by strides alone.
double sum_of(const LocalBlock& block) {
  double sum = 0;
  for (std::int64_t j = 0; j < block.extent[1]; ++j)
    for (std::int64_t i = 0; i < block.extent[0]; ++i)
      sum += block.data[i * block.strides[0] + j * block.strides[1]];
  return sum;
}

TEST(LocalBlocks, of_all_ranks_hold_each_cell_once) {
  for (const int n_ranks : {1, 2, 3, 13}) {  // of 12 root blocks: one rank has none
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(3));
      const auto blocks = simulation->local_blocks();

      const auto& config = simulation->mesh().forest.geometry.config();
      EXPECT_EQ(blocks.upper, (std::vector<double>{config.upper[0], config.upper[1]}));
      ASSERT_EQ(blocks.levels.size(), 3u);
      double mine = 0;
      const auto& level = blocks.levels[0];
      const auto& cells = simulation->state().cells[0];
      ASSERT_EQ(level.blocks.size(), cells.size());
      for (std::size_t b = 0; b < level.blocks.size(); ++b) {
        const LocalBlock& block = level.blocks[b];
        const Index<2> first{static_cast<int>(block.lower[0]), static_cast<int>(block.lower[1])};
        const Index<2> beside = first - Index<2>::filled(block.n_ghosts);
        EXPECT_EQ(block.data, cells.view(b).at(0, first));
        EXPECT_EQ(block.data - block.n_ghosts * (block.strides[0] + block.strides[1]),
                  cells.view(b).at(0, beside));
        mine += sum_of(block) * level.cell_size[0] * level.cell_size[1];
      }
      const double all = flow::all_reduce(context.transport, mine, std::plus<>{});
      const double total = simulation->totals()[0];
      EXPECT_NEAR(all, total, 1e-13 * total);
    });
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(LocalBlocks, have_another_revision_when_the_mesh_has_changed) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto first = simulation->blocks_revision();
    EXPECT_EQ(simulation->local_blocks().revision, first);
    ASSERT_TRUE(simulation->advance_to(1));
    EXPECT_EQ(simulation->blocks_revision(), first);
    ASSERT_TRUE(simulation->advance_to(30));
    EXPECT_NE(simulation->blocks_revision(), first);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
