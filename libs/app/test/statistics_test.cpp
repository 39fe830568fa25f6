// SPDX-License-Identifier: MIT
#include <thalweg/app/statistics.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/transport_alone.hpp>

#include "carried.hpp"
#include "set_clock.hpp"

namespace thalweg::app {
namespace {

TEST(StepObserver, turns_sums_over_ranks_into_rates) {
  SetClock clock;
  comm::AloneTransport transport;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  std::vector<StepStatistics> seen;
  StepObserver observer(executor, clock, 3, [&](const auto& s) { seen.push_back(s); });
  observer.set_mesh({8, 20}, 4096);
  clock.ns = 1'000'000'000;
  observer.restart_clock();

  // Of three ranks of two workers.
  observer.report({.step = 1}, {.work_s = 9, .end_s = 3 * 2, .memory_bytes = 100});
  observer.report({.step = 2},
                  {.work_s = 9 + 3, .end_s = 3 * 3, .memory_bytes = 200, .fallbacks = {17, 5, 2}});

  ASSERT_EQ(seen.size(), 2u);
  EXPECT_DOUBLE_EQ(seen[0].wall_s, 2.0);
  EXPECT_DOUBLE_EQ(seen[0].parallel_efficiency, 9.0 / (2.0 * 6));
  EXPECT_DOUBLE_EQ(seen[1].wall_s, 1.0);
  EXPECT_DOUBLE_EQ(seen[1].parallel_efficiency, 3.0 / (1.0 * 6));
  EXPECT_EQ(seen[1].time_state.step, 2);
  EXPECT_EQ(seen[1].memory_bytes, 200u);
  EXPECT_TRUE(std::ranges::equal(seen[1].blocks_per_level, std::array{8, 20}));
  EXPECT_EQ(seen[1].zone_updates, 4096);
  EXPECT_EQ(seen[0].fallbacks, numerics::Fallbacks{});
  EXPECT_EQ(seen[1].fallbacks, (numerics::Fallbacks{17, 5, 2}));
}

TEST(StepObserver, sample_has_the_time_since_the_clock_was_restarted_and_the_memory_of_this_rank) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    SetClock clock;
    clock.ns = 2'500'000'000;
    const flow::Executor executor({}, context.transport, clock);
    StepObserver observer(executor, clock, 1, {});
    clock.ns += 250'000'000;

    const step::StepSums sample = observer.sample();

    EXPECT_EQ(sample.work_s, 0.0);
    EXPECT_DOUBLE_EQ(sample.end_s, 0.25);
    observer.restart_clock();
    EXPECT_EQ(observer.sample().end_s, 0.0);
    EXPECT_GT(sample.memory_bytes, 100'000u);
  });
  ASSERT_TRUE(done) << done.error().message;
}

TEST(StepObserver, samples_ask_for_the_memory_ten_times_a_second) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    SetClock clock;
    const flow::Executor executor({}, context.transport, clock);
    StepObserver observer(executor, clock, 1, {});
    const std::uint64_t before = observer.sample().memory_bytes;
    const std::vector<char> touched(64 << 20, 1);

    clock.ns = 99'000'000;
    EXPECT_EQ(observer.sample().memory_bytes, before);
    clock.ns = 101'000'000;
    EXPECT_GT(observer.sample().memory_bytes, before + touched.size() / 2);
  });
  ASSERT_TRUE(done) << done.error().message;
}

TEST(StepObserver, time_between_runs_belongs_to_no_step) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    SetClock clock;
    const flow::Executor executor({}, context.transport, clock);
    double wall_s = 0, efficiency = 0;
    StepObserver observer(executor, clock, 1, [&](const auto& s) {
      wall_s = s.wall_s;
      efficiency = s.parallel_efficiency;
    });
    observer.report({}, {.work_s = 1, .end_s = 1});

    clock.ns = 10'000'000'000;  // nine seconds of writing
    observer.restart_clock();
    observer.report({}, {.work_s = 0.25, .end_s = 0.5});

    EXPECT_DOUBLE_EQ(wall_s, 0.5);
    EXPECT_DOUBLE_EQ(efficiency, 0.25 / 0.5);
  });
  ASSERT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
