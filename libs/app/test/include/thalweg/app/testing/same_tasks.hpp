// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/virtual_ranks.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/predict/simulate.hpp>

namespace thalweg::app::testing {

/// What a short run and a simulated step of a program say about its tasks must agree: each kind has
/// a time, a step has as many of them as the run has had a step, and the same seed gives the same
/// bits.
/// @pre the program is on as many ranks, and as large, as where its tasks are timed
inline void expect_the_tasks_of_a_run(const VirtualProgram& program) {
  ASSERT_EQ(program.n_ranks, program.n_ranks_timed);
  constexpr int n_steps = 3;
  const auto times = measure_tasks(program, n_steps, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  const auto job = capture_job(program, *times);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->unknown_names, std::vector<std::string>());
  EXPECT_FALSE(job->connections.empty());
  const predict::Machine machine{
      .network = {.latency_ns = 1000, .overhead_ns = 100},
      .noise = {.kind = predict::Noise::Kind::pareto, .quantiles = {}, .scale = 0.1}};
  const auto run = predict::simulate(*job, machine, {.n_steps = 2, .seed = 7});
  EXPECT_EQ(run, predict::simulate(*job, machine, {.n_steps = 2, .seed = 7}));
  double n_tasks = 0;
  for (std::size_t i = 0; i < job->names.size(); ++i) {
    if (run.n_tasks[i] == 0) continue;  // of messages and barriers
    const auto fit = times->fits().find(job->names[i]);
    ASSERT_NE(fit, times->fits().end()) << job->names[i];
    // The first step of the run was not heard.
    EXPECT_EQ(fit->second.n / (n_steps - 1), static_cast<double>(run.n_tasks[i]) / 2)
        << job->names[i];
    n_tasks += static_cast<double>(run.n_tasks[i]);
  }
  EXPECT_GT(n_tasks, 0);
}

}  // namespace thalweg::app::testing
