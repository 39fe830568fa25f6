// SPDX-License-Identifier: MIT
#include <thalweg/app/execution_options.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "../../../tests/support/text.hpp"

namespace thalweg::app {
namespace {

using thalweg::testing::error_of;
using thalweg::testing::expect_parts;

Execution read(const std::string& line) {
  CLI::App command;
  ExecutionOptions options;
  options.add_to(command);
  command.parse(line);
  Complaints complaints;
  const Execution execution = options.execution(complaints);
  complaints.throw_if_any();
  return execution;
}

TEST(ExecutionOptions, are_an_execution) {
  EXPECT_EQ(read(""), Execution{});
  EXPECT_EQ(read("--model forkjoin --threads 2 --latency 50 --progress thread --ignore-priorities"),
            (Execution{.model = flow::Model::forkjoin,
                       .n_workers = 2,
                       .latency_us = 50,
                       .progress = flow::Progress::thread,
                       .honours_priorities = false}));
  EXPECT_EQ(read("--model bulk --threads 3").n_workers, 1u);
}

TEST(ExecutionOptions, warn_of_threads_that_have_nothing_to_do) {
  EXPECT_EQ(warning_of_threads("--threads", read("--model bulk")), "");
  EXPECT_EQ(warning_of_threads("--threads", read("--model phase --threads 1")), "");
  expect_parts(warning_of_threads("--threads", read("--model bulk --threads 3")),
               {"--threads 3 has no effect", "\"bulk\""});
  expect_parts(warning_of_threads("run.threads =", read("--threads 1024")),
               {"run.threads = 1024 on ", "cores"});
}

TEST(ExecutionOptions, say_all_that_is_wrong) {
  expect_parts(error_of([] { read("--model tides --threads 0 --latency=-1 --progress fast"); }),
               {"--model tides", "bulk, forkjoin, phase or dataflow", "--threads 0", "1..1024",
                "--latency -1", "microseconds", "--progress fast", "task_boundary"});
  expect_parts(error_of([] { read("--threads 1025"); }), {"--threads 1025"});
  expect_parts(error_of([] { read("--latency nan"); }), {"--latency nan"});
}

}  // namespace
}  // namespace thalweg::app
