// SPDX-License-Identifier: MIT
// Who sleeps in an executor is called when it is wanted.
#include <thalweg/flow/executor.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

/// Wait inside a task for one of another worker, but not so long that the test hangs.
void wait_until(const std::atomic<int>& n_done, int n_wanted) {
  const auto start = std::chrono::steady_clock::now();
  while (n_done < n_wanted && std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
    std::this_thread::yield();
}

/// Run a graph until a worker, or the communication thread, has slept a few times.
/// @return how often one slept as long as it might, as nobody called it
std::uint64_t late_parks(Executor& executor, Graph& graph, std::atomic<int>& n_runs) {
  for (WorkerTime time; time.n_parks < 4 && time.n_late == 0; time = executor.total_time()) {
    ++n_runs;
    EXPECT_TRUE(executor.run(graph, 1));
  }
  return executor.total_time().n_late;
}

// The usual limit of a sleep would hide that nobody calls who is wanted: here it is seconds.
constexpr double seconds_of_sleep = 60;
constexpr std::chrono::milliseconds until_others_sleep(10);

TEST(Park, who_sleeps_is_called_when_its_task_is_ready) {
  SingleRank machine({.n_workers = 2, .park_limit_s = seconds_of_sleep});
  std::atomic<int> n_runs{0}, n_done{0};
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.task("first", uses(out(x), out(y)),
                [](auto, auto) { std::this_thread::sleep_for(until_others_sleep); },
                {.preferred_worker = 0});
  recorder.task("sleeper's", uses(inout(y)), [&](auto) { ++n_done; }, {.preferred_worker = 1});
  // Else worker 0 would run that one itself, as a proxy of the sleeper.
  recorder.task("wait for it", uses(inout(x)), [&](auto) { wait_until(n_done, n_runs); },
                {.preferred_worker = 0});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  EXPECT_EQ(late_parks(machine.executor, graph, n_runs), 0u);
}

TEST(Park, communication_thread_that_sleeps_is_called_when_there_is_a_message) {
  SingleRank machine({.progress = Progress::thread, .park_limit_s = seconds_of_sleep});
  std::atomic<int> n_runs{0};
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.task("first", uses(out(x), out(y)),
                [](auto, auto) { std::this_thread::sleep_for(until_others_sleep); });
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  Graph graph = capture(std::move(recorder), Model::dataflow);

  EXPECT_EQ(late_parks(machine.executor, graph, n_runs), 0u);
}

}  // namespace
}  // namespace thalweg::flow
