// SPDX-License-Identifier: MIT
// Simulations whose blocks are shared out among ranks in different ways.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/collective.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

// Every look at it takes a random time, so that tasks cost something, each another.
class RandomClock final : public Clock {
 public:
  std::int64_t now_ns() const override {
    now_ns_ += static_cast<std::int64_t>(random_.below(1000));
    return now_ns_;
  }

 private:
  mutable SplitMix64 random_{3};
  mutable std::int64_t now_ns_ = 0;
};

// What a simulation is after some steps on three ranks.
struct After {
  std::uint64_t cells = 0;                 // the same for the same bits, whoever has them
  std::vector<std::int64_t> first_blocks;  // of rank 1 on each level: how levels are cut
  std::vector<mesh::LevelImbalance> imbalance;
  int n_regrids = 0;
};

After run_partitioned(const Partitioning& partition) {
  After after;
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    const RandomClock clock;
    const Context timed{context.transport, clock, context.files, context.log, context.execution};
    auto settings = testing::settings();
    settings.partition = partition;
    const auto simulation = testing::made(timed, testing::carried_spot(), settings);
    ASSERT_TRUE(simulation->advance_to(13));
    std::uint64_t mine = 0;
    for (const auto& level : simulation->state().cells)
      for (std::size_t b = 0; b < level.size(); ++b)
        for_each(simulation->mesh().forest.geometry.cells(level.keys()[b]), [&](const Index<2>& i) {
          const auto at = hash_number(level.keys()[b].code, static_cast<std::uint64_t>(i[0]));
          mine += hash_number(std::bit_cast<std::uint64_t>(level.view(b)[0, i]),
                              at + static_cast<std::uint64_t>(i[1]));
        });
    const auto sum = flow::all_reduce(context.transport, mine, std::plus<>());
    if (context.transport.rank() != Rank{1}) return;
    after.cells = sum;
    after.imbalance = simulation->imbalance();
    after.n_regrids = simulation->regrids().n;
    for (const auto& level : simulation->mesh().forest.levels)
      after.first_blocks.push_back(level.first_global);
  });
  EXPECT_TRUE(done) << done.error().message;
  return after;
}

TEST(Partitioning, partitions_differ_and_the_cells_do_not) {
  const After even = run_partitioned({});
  const After measured = run_partitioned({.cost = Cost::measured});
  const After lazy = run_partitioned({.threshold = {100}});
  const After both = run_partitioned({.cost = Cost::measured, .threshold = {1.2}});
  for (const After* other : {&measured, &lazy, &both}) {
    EXPECT_EQ(other->cells, even.cells);
    EXPECT_NE(other->first_blocks, even.first_blocks);
  }
}

TEST(Partitioning, says_how_uneven_levels_are) {
  const After even = run_partitioned({});
  EXPECT_EQ(even.n_regrids, 6);
  ASSERT_EQ(even.imbalance.size(), 3u);
  EXPECT_EQ(even.imbalance[0].before, 1.0);
  EXPECT_LT(even.imbalance[2].after, even.imbalance[2].before);

  for (const auto& level : run_partitioned({.threshold = {100}}).imbalance)
    EXPECT_EQ(level.before, level.after);
  const auto measured = run_partitioned({.cost = Cost::measured});
  EXPECT_GT(measured.imbalance[0].before, 1.0) << "blocks of level 0 take different times";
}

}  // namespace
}  // namespace thalweg::app
