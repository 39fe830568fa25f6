// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/virtual/virtual_program.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/predict/simulate.hpp>

namespace thalweg::taskbench {
namespace {

using Words = std::vector<std::string>;

TEST(TaskbenchVirtualProgram, has_the_tasks_of_a_run_in_all_models) {
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const char* type : {"stencil_1d", "fft", "all_to_all"}) {
      SCOPED_TRACE(std::string(model) + " " + type);
      app::testing::expect_the_tasks_of_a_run(virtual_program(
          Words{"-steps", "1000", "-width", "4", "-type", type, "--model", model, "--threads", "2"},
          2));
    }
}

TEST(TaskbenchVirtualProgram, is_simulated_as_a_hand_would_count) {
  // 100 timesteps of two points, each a microsecond: one rank does one after another, two ranks
  // half of them each, and wait 10 us for the neighbour's output in each timestep.
  predict::TaskTimes times;
  times.add("point", 1, 1000);
  const Words words{"-steps", "1000", "-width", "2", "-type", "stencil_1d", "-depth", "1"};
  const predict::Machine machine{.network = {.latency_ns = 10'000}};
  for (const int n_ranks : {1, 2, 3}) {
    const auto program = virtual_program(words, n_ranks);
    const auto job = app::capture_job(program, times);
    ASSERT_TRUE(job) << job.error().message;
    const auto run = predict::simulate(*job, machine, {.n_steps = 4, .depth = 1});
    EXPECT_EQ(run.step_ns() / program.size, n_ranks == 1 ? 2000.0 : 11'000.0) << n_ranks;
  }
}

/// What is said of words that have no step to predict; "": they have one.
std::string refusal(const Words& words) {
  try {
    virtual_program(words, 2);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TaskbenchVirtualProgram, says_how_many_timesteps_have_a_step) {
  for (const char* type : {"stencil_1d", "fft", "spread", "tree", "dom"}) {
    const std::string few = refusal({"-type", type, "-steps", "20", "-width", "8"});
    const auto number = few.find("give -steps ");
    ASSERT_NE(number, std::string::npos) << few;
    EXPECT_EQ(refusal({"-type", type, "-steps", few.substr(number + 12), "-width", "8"}), "");
  }
  const std::string none = refusal({"-type", "random_nearest", "-period", "100000"});
  EXPECT_NE(none.find("give another -type"), std::string::npos) << none;
}

TEST(TaskbenchVirtualProgram, refuses_what_has_no_step) {
  EXPECT_THROW(virtual_program(Words{"-type", "dom", "-steps", "50", "-width", "50"}, 2), Error);
  EXPECT_THROW(virtual_program(Words{"-steps", "3", "-width", "2"}, 2), Error);
  EXPECT_THROW(virtual_program(Words{"-steps", "1000", "-latency", "5"}, 2), Error);
  EXPECT_THROW(virtual_program(Words{"-type", "stencil"}, 2), Error);
}

}  // namespace
}  // namespace thalweg::taskbench
