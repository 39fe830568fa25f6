// SPDX-License-Identifier: MIT
#include <thalweg/app/execution_options.hpp>

#include <sched.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include <thalweg/app/processors.hpp>

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

TEST(ParseWords, says_where_the_help_is) {
  CLI::App command("", "thalweg study");
  int n = 0;
  command.add_option("--n", n, "");
  const std::vector<std::string> good{"--n", "3"}, unknown{"--m", "3"};
  parse_words(command, good);
  EXPECT_EQ(n, 3);
  expect_parts(error_of([&] { parse_words(command, unknown); }),
               {"--m", "; see thalweg study --help"});
  const std::vector<std::string> help{"--n", "3", "--help"};
  expect_parts(error_of([&] { parse_words(command, help); }),
               {"--help among the words of a run", "; see thalweg study --help"});
}

TEST(ParseWords, refuses_an_empty_value) {
  CLI::App command("", "thalweg study");
  std::optional<int> n;
  std::vector<double> places;
  bool is_loud = false;
  command.add_option("-n,--number", n, "");
  command.add_option("--at", places, "")->delimiter(',');
  command.add_flag("--loud", is_loud, "");
  const std::vector<std::string> good{"--loud", "--number", "3"}, short_name{"-n", ""},
      with_sign{"--loud", "--number", ""}, list{"--at", "1", ""};
  parse_words(command, good);
  for (const auto& words : {short_name, with_sign})
    expect_parts(error_of([&] { parse_words(command, words); }),
                 {"--number '' (no value); give one, ", "; see thalweg study --help"});
  expect_parts(error_of([&] { parse_words(command, list); }), {"--at"});
}

TEST(ExecutionOptions, are_an_execution) {
  EXPECT_EQ(read(""), Execution{});
  EXPECT_EQ(read("--model forkjoin --threads 2 --latency 50 --progress thread --ignore-priorities"),
            (Execution{.model = flow::Model::forkjoin,
                       .latency_us = 50,
                       .executor = {.n_workers = 2,
                                    .honours_priorities = false,
                                    .progress = flow::Progress::thread}}));
  EXPECT_EQ(read("--model bulk --threads 3").executor.n_workers, 1u);
}

TEST(ExecutionOptions, warn_of_threads_that_have_nothing_to_do) {
  EXPECT_EQ(warning_of_threads("--threads", read("--model bulk")), "");
  EXPECT_EQ(warning_of_threads("--threads", read("--model phase --threads 1")), "");
  expect_parts(warning_of_threads("--threads", read("--model bulk --threads 3")),
               {"--threads 3 has no effect in the model \"bulk\" ("});
  expect_parts(warning_of_threads("run.threads =", read("--threads 1024")),
               {"run.threads = 1024 on ", "processors"});
}

TEST(ExecutionOptions, warn_of_more_threads_than_cores_that_the_rank_is_bound_to) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(allowed_processors().front()), &one);
  std::string warning;
  // Of a thread of its own: the other tests keep theirs.
  std::thread([&] {
    if (sched_setaffinity(0, sizeof one, &one) == 0)
      warning = warning_of_threads("--threads", read("--threads 2"));
  }).join();
  expect_parts(warning,
               {"--threads 2 on 1 processor,", "rank 0 may use", "mpirun --map-by slot:PE=2"});
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
