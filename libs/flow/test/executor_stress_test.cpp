// SPDX-License-Identifier: MIT
// Many small graphs and long runs: what the executor does when threads get in each other's way.
#include <gtest/gtest.h>

#include <thalweg/flow/executor.hpp>

#include "loopback.hpp"
#include "random_program.hpp"

namespace thalweg::flow {
namespace {

TEST(ExecutorStress, thousands_of_replays_of_a_wide_graph) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::uint64_t n_replays = 100;
#else
  constexpr std::uint64_t n_replays = 300;
#endif
  for (const std::uint32_t n_workers : {2u, 4u}) {
    const RandomProgram program(
        {.seed = 11, .n_tasks = 400, .n_data = 100, .percent_messages = 5, .percent_phases = 2});
    const auto expected = program.serial_result(n_replays);
    for (const Model model : {Model::forkjoin, Model::phase, Model::dataflow}) {
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      Graph graph = capture(std::move(recorder), model);
      Loopback transport(2);
      SteadyClock clock;
      Executor executor({.n_workers = n_workers, .depth = 3, .watchdog_s = 5}, transport, clock);

      ASSERT_TRUE(executor.run(graph, n_replays));

      EXPECT_EQ(values, expected) << to_string(model) << ", " << n_workers << " workers";
    }
  }
}

TEST(ExecutorStress, runs_of_one_replay_follow_each_other) {
  constexpr std::uint64_t n_runs = 500;
  const RandomProgram program({.seed = 5, .n_tasks = 20, .percent_messages = 0});
  std::vector<std::uint64_t> values = program.initial(), expected = program.initial();
  Recorder recorder(Rank(0), 1);
  program.record(recorder, values.data());
  Graph graph = capture(std::move(recorder), Model::dataflow);
  Recorder again(Rank(0), 1);
  program.record(again, expected.data());
  Graph same = capture(std::move(again), Model::bulk);
  Loopback transport;
  SteadyClock clock;
  Executor executor({.n_workers = 3, .watchdog_s = 5}, transport, clock);

  for (std::uint64_t i = 0; i < n_runs; ++i) {
    ASSERT_TRUE(executor.run(graph, 1));
    ASSERT_TRUE(executor.run(same, 1));
  }

  EXPECT_EQ(values, expected);
}

TEST(ExecutorStress, more_ready_tasks_than_a_deque_holds) {
  constexpr std::size_t n = 5000;
  for (const std::uint32_t n_workers : {1u, 2u, 4u}) {
    Recorder recorder(Rank(0), 1);
    auto start = recorder.data<int>("start", 1);
    recorder.task("start", uses(out(start)), [](auto s) { ++s[0]; });
    std::vector<int> n_run(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      recorder.task("leaf", uses(in(start)), [&n_run, i](auto) { ++n_run[i]; },
                    {.priority = i % 7 == 0 ? 1 : 0, .preferred_worker = 0});
    Graph graph = capture(std::move(recorder), Model::dataflow);
    Loopback transport;
    SteadyClock clock;
    Executor executor({.n_workers = n_workers, .depth = 1, .watchdog_s = 5}, transport, clock);

    ASSERT_TRUE(executor.run(graph, 3));

    EXPECT_EQ(n_run, std::vector<int>(n, 3));
  }
}

TEST(ExecutorStress, stop_and_failure_race_with_workers) {
  for (int i = 0; i < 200; ++i) {
    Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    std::atomic<int> n_replays_of_loose{0};
    recorder.task("decide", uses(inout(x)),
                  [i](auto v, TaskContext& context) {
                    if (++v[0] == 1 + i % 5) context.request_stop();
                  },
                  {.controls_termination = true});
    for (int k = 0; k < 8; ++k)
      recorder.task("loose", uses(), [&n_replays_of_loose] { ++n_replays_of_loose; });
    Graph graph = capture(std::move(recorder), Model::dataflow);
    Loopback transport;
    SteadyClock clock;
    Executor executor({.n_workers = 3, .depth = 3, .watchdog_s = 5}, transport, clock);

    const auto report = executor.run(graph, 1000);

    ASSERT_TRUE(report);
    EXPECT_EQ(report->n_replays, static_cast<std::uint64_t>(1 + i % 5));
    EXPECT_EQ(n_replays_of_loose, 8 * (1 + i % 5));
  }
}

}  // namespace
}  // namespace thalweg::flow
