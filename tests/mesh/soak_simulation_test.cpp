// SPDX-License-Identifier: MIT
// Thousands of steps with a regrid before each: cells, pools, moves, graphs and messages.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include <thalweg/app/simulation.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/io/file_system.hpp>

#include "moving_disc.hpp"
#include "soak.hpp"

namespace thalweg::testing {
namespace {

/// What is live after a step, on all ranks together.
struct Live {
  std::int64_t n_blocks = 0;
  std::int64_t field_bytes = 0;  // that pools have
  std::int64_t n_nodes = 0;      // of the graph
  std::int64_t n_data = 0;
  std::int64_t n_messages = 0;
  std::int64_t n_tags = 0;      // sum over messages: each pair of ranks counts its own from 0
  std::int64_t n_requests = 0;  // that the transport was told of and not to forget

  bool operator==(const Live&) const = default;
  friend Live operator+(const Live& a, const Live& b) {
    return {a.n_blocks + b.n_blocks,    a.field_bytes + b.field_bytes, a.n_nodes + b.n_nodes,
            a.n_data + b.n_data,        a.n_messages + b.n_messages,   a.n_tags + b.n_tags,
            a.n_requests + b.n_requests};
  }
};

/// A simulation of one rank.
class DiscRun {
 public:
  DiscRun(flow::Transport& transport, const Clock& clock, field::BlockSource block_source)
      : log_(nullptr, transport.rank()),
        simulation_(app::testing::made(
            {transport, clock, files_, log_, {.executor = {.posting = flow::Posting::persistent}}},
            moving_disc(part_of_turn_), settings(block_source))) {}

  /// Regrid as it is at a time, and make a step. Collective.
  void step(int time) {
    part_of_turn_ = static_cast<double>(time) / soak_period;
    const auto done = simulation_->advance_to(simulation_->time_state().step + 1);
    EXPECT_TRUE(done) << done.error().message;
  }
  Live live() const {
    const auto& graph = simulation_->step_graph();
    auto& transport = simulation_->context().transport;
    Live mine{.field_bytes = static_cast<std::int64_t>(simulation_->field_bytes()),
              .n_nodes = static_cast<std::int64_t>(graph.n_nodes()),
              .n_data = static_cast<std::int64_t>(graph.n_data()),
              .n_messages = static_cast<std::int64_t>(graph.n_messages()),
              .n_requests = static_cast<std::int64_t>(transport.n_prepared())};
    for (const auto& level : simulation_->state().cells) mine.n_blocks += std::ssize(level.keys());
    for (const auto& message : graph.messages()) mine.n_tags += message.tag();
    return flow::all_reduce(transport, mine, std::plus<>());
  }
  const app::Simulation<Carried>& simulation() const { return *simulation_; }

 private:
  static app::Settings<2> settings(field::BlockSource block_source) {
    auto settings = disc_settings();
    settings.block_source = block_source;
    return settings;
  }

  double part_of_turn_ = 0;
  io::MemoryFileSystem files_;
  Logger log_;
  std::unique_ptr<app::Simulation<Carried>> simulation_;
};

TEST(SoakSimulation, regrids_with_cells_moves_and_graphs_leave_nothing_behind) {
  std::uint64_t n_mesh_changes = 0;
  const auto soaked = soak<Live>(60, [&](flow::Transport& transport, const Clock& clock) {
    const auto run = std::make_shared<DiscRun>(transport, clock, field::BlockSource::slabs);
    return [run, &n_mesh_changes](int time) {
      run->step(time);
      n_mesh_changes = run->simulation().mesh().forest.revision;
      return run->live();
    };
  });
  expect_steady(soaked);
  EXPECT_GT(n_mesh_changes, 2000u);
  EXPECT_GT(soaked.live[0].n_blocks, 24);
  EXPECT_GT(soaked.live[0].n_messages, 20);
  EXPECT_GE(soaked.live[0].n_requests, soaked.live[0].n_messages);
}

// From the heap, bytes say how many blocks are out.
TEST(SoakSimulation, no_block_is_out_that_the_mesh_does_not_have) {
  comm::SimNetwork network({.n_ranks = soak_ranks, .seed = 3, .max_delay = 1});
  const auto done = network.run([&](flow::Transport& transport) {
    DiscRun run(transport, network.clock(), field::BlockSource::heap);
    using Field = field::LevelField<2>;
    const auto bytes_of = [](std::size_t n_values) { return (8 * n_values + 63) / 64 * 64; };
    const auto bytes_of_level = [&](const Field& level, int n_ghosts) {
      std::size_t n = level.n_alone() * bytes_of(Field::block_size({8, 8}, n_ghosts, 1));
      for (const auto& joined : level.joined())
        n += bytes_of(Field::joined_size({8, 8}, joined.n, n_ghosts, 1));
      return n;
    };
    for (int time = 0; time < 2 * soak_period; ++time) {
      run.step(time);
      std::size_t expected = 0;
      const auto& state = run.simulation().state();
      for (const auto& level : state.cells)
        expected += bytes_of_level(level, run.simulation().problem().scheme.n_ghosts);
      // What is kept to take a step again: of level 0, which makes one substep, that is saved.
      for (const auto& level : std::span(state.cells).subspan(1))
        expected += level.size() * bytes_of(Field::block_size({8, 8}, 0, 1));
      for (const auto& level : state.saved)  // with the ghost cells that the second stage reads
        expected += bytes_of_level(level, 1);
      EXPECT_EQ(run.simulation().field_bytes(), expected);
    }
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::testing
