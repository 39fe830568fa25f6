// SPDX-License-Identifier: MIT
#include <thalweg/app/virtual_ranks.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/virtual_program.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/predict/simulate.hpp>

#include "carried.hpp"
#include "stream.hpp"

namespace thalweg::app {
namespace {

io::Deck small_deck(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), "mesh.max_level=1");
  return testing::spot_deck(overrides);
}

const Application& application() {
  static const auto all = testing::applications();
  return application_of(all, small_deck());
}

Result<predict::Job> job_of(const io::Deck& of, int n_ranks, const predict::TaskTimes& times) {
  return capture_job(virtual_program(application(), of, n_ranks), times);
}

predict::TaskTimes one_microsecond_to_advance() {
  predict::TaskTimes times;
  times.add("advance", 1, 1000);
  return times;
}

/// How many tasks of a name a step has on all ranks, from a simulation of it.
std::uint64_t n_advanced(const predict::Job& job) {
  const auto run = predict::simulate(job, {}, {.n_steps = 1});
  const auto it = std::ranges::find(job.names, "advance");
  return it == job.names.end() ? 0 : run.n_tasks[static_cast<std::size_t>(it - job.names.begin())];
}

TEST(VirtualRanks, CaptureTheSameTasksOnAnyRanksInAllModels) {
  const auto times = one_microsecond_to_advance();
  const auto alone = job_of(small_deck(), 1, times);
  ASSERT_TRUE(alone) << alone.error().message;
  const std::uint64_t n = n_advanced(*alone);
  EXPECT_GE(n, 12u);
  EXPECT_TRUE(alone->connections.empty());
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const int n_ranks : {2, 3, 70}) {  // more ranks than blocks
      const auto job =
          job_of(small_deck({std::string("run.model=") + model, "run.threads=2"}), n_ranks, times);
      ASSERT_TRUE(job) << job.error().message;
      EXPECT_EQ(job->ranks.size(), static_cast<std::size_t>(n_ranks));
      EXPECT_FALSE(job->connections.empty());
      EXPECT_EQ(n_advanced(*job), n) << model << ", " << n_ranks;
    }
}

TEST(VirtualRanks, SimulateAsMuchWorkOnTwoRanksAsOnOne) {
  const auto times = one_microsecond_to_advance();
  const auto one = job_of(small_deck(), 1, times);
  const auto two = job_of(small_deck(), 2, times);
  ASSERT_TRUE(one && two);
  const auto alone = predict::simulate(*one, {}, {.n_steps = 2});
  const auto both = predict::simulate(*two, {}, {.n_steps = 2});
  EXPECT_EQ(alone.workers[0].work_ns, both.workers[0].work_ns + both.workers[1].work_ns);
  EXPECT_LT(both.total_ns(), alone.total_ns());
}

TEST(VirtualRanks, MeasureTheTasksOfSteps) {
  const auto times =
      measure_tasks(virtual_program(application(), small_deck(), 1), 3, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_TRUE(times->is_known("advance"));
  EXPECT_GT(times->at("advance", 1), 0);
  // All tasks of a step on three ranks are known, packing and unpacking too.
  const auto job = job_of(small_deck(), 3, *times);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->unknown_names, std::vector<std::string>());
}

TEST(VirtualRanks, SayOnWhichRankSomethingFailed) {
  const auto done = on_virtual_ranks(3, {}, [](const Context& context) {
    if (context.transport.rank() == Rank{1}) throw std::runtime_error("no more ink");
  });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("no more ink"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::app
