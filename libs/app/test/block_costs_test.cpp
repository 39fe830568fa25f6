// SPDX-License-Identifier: MIT
#include <thalweg/app/block_costs.hpp>

#include <cstddef>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

// Keeps what it is told of the runs that it wants.
struct Heard final : trace::Sink {
  bool wants = true;
  int n_runs = 0, n_described = 0, n_events = 0, n_ends = 0;

  bool begin_run(const trace::RunStart&) override {
    ++n_runs;
    return wants;
  }
  void describe(trace::GraphInfo) override { ++n_described; }
  void record(const trace::Event&) noexcept override { ++n_events; }
  void end_run(std::int64_t) override { ++n_ends; }
};

// Two blocks of level 0 are advanced, the second twice; one task is for no block.
trace::GraphInfo graph() {
  return {.names = {"advance", "pack"},
          .nodes = {{.name = 0, .block = 0},
                    {.name = 0, .block = 1},
                    {.name = 0, .block = 1},
                    {.name = 1, .block = 0}}};
}

void run(BlockCosts& costs, std::optional<std::uint64_t> first_step) {
  if (!costs.begin_run({.n_replays = 1, .first_step = first_step})) return;
  costs.describe(graph());
  for (std::uint32_t node = 0; node < 4; ++node)
    costs.record({.start_ns = 100, .end_ns = 110 + node, .node = node});
  costs.record({.start_ns = 0, .end_ns = 1000, .kind = trace::EventKind::idle});
  costs.end_run(2000);
}

/// Three blocks of level 0.
struct Blocks {
  std::vector<field::BlockPool> pools;
  std::vector<field::LevelField<1>> levels;

  explicit Blocks(std::vector<field::JoinedBlocks> joined = {}) {
    for (int i = 0; i < 2; ++i) pools.emplace_back(64, field::BlockSource::addresses);
    const mesh::Geometry<1> geometry({.root_blocks = {3}});
    const auto forest = mesh::initial_forest(geometry, Rank(0), 1);
    field::LevelField<1> nothing;
    levels.emplace_back(geometry, forest.level(0).keys, 0, 1, pools, nothing, joined);
  }
};

TEST(BlockCosts, adds_the_tasks_that_count_of_all_runs_since_they_were_taken) {
  BlockCosts costs({"advance"});
  run(costs, 1);
  run(costs, 2);
  const Blocks blocks;
  EXPECT_EQ(costs.take<1>(blocks.levels), (mesh::Weights{{20, 2 * (11 + 12), 0}}));
  EXPECT_EQ(costs.take<1>(blocks.levels), (mesh::Weights{{0, 0, 0}}));
}

TEST(BlockCosts, of_joined_blocks_are_equal_shares_of_the_time_of_their_tasks) {
  BlockCosts costs({"advance"});
  run(costs, 1);
  EXPECT_EQ(costs.take<1>(Blocks({{0, 2}}).levels), (mesh::Weights{{5, 5, 0}}));
}

TEST(BlockCosts, runs_that_are_no_steps_do_not_count) {
  BlockCosts costs({"advance"});
  run(costs, std::nullopt);
  EXPECT_EQ(costs.take<1>(Blocks().levels), (mesh::Weights{{0, 0, 0}}));
}

}  // namespace
}  // namespace thalweg::app
