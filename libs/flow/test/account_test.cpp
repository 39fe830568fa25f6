// SPDX-License-Identifier: MIT
// src/account.hpp with the machine's own clock; with one that counts looks: executor_test.cpp.
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

TEST(Account, times_by_the_machines_counter_tile_the_run_and_are_right) {
  constexpr std::chrono::milliseconds length(20);
  const SteadyClock clock;
  for (const std::uint32_t n_workers : {1u, 2u}) {
    SingleRank machine({.n_workers = n_workers});
    Recorder recorder(Rank(0), 1);
    WorkerTime in_between;
    auto x = recorder.data<int>("x", 1);
    recorder.task("sleep", uses(out(x)), [&](auto) { std::this_thread::sleep_for(length); });
    recorder.task("ask", uses(in(x)), [&](auto) { in_between = machine.executor.total_time(); });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const std::int64_t start_ns = clock.now_ns();
    ASSERT_TRUE(machine.executor.run(graph, 1));
    const std::int64_t wall_ns = clock.now_ns() - start_ns;

    std::set<std::int64_t> totals;
    for (const WorkerTime& t : machine.executor.accounting())
      totals.insert(t.work_ns + t.overhead_ns + t.idle_ns);
    EXPECT_EQ(totals.size(), 1u);
    EXPECT_LE(*totals.begin(), wall_ns);
    const std::int64_t length_ns = std::chrono::nanoseconds(length).count();
    for (const std::int64_t work_ns : {machine.executor.total_time().work_ns, in_between.work_ns}) {
      EXPECT_GE(work_ns, length_ns - length_ns / 100);  // counters are calibrated within a run
      EXPECT_LE(work_ns, wall_ns);
    }
  }
}

}  // namespace
}  // namespace thalweg::flow
