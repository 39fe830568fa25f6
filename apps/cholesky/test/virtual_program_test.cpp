// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/virtual_program.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::cholesky {
namespace {

TEST(CholeskyVirtualProgram, has_the_tasks_of_a_run_in_all_models_and_precisions) {
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const char* precision : {"s", "d", "c", "z"}) {
      SCOPED_TRACE(std::string(model) + " " + precision);
      app::testing::expect_the_tasks_of_a_run(
          virtual_program(std::vector<std::string>{"--n", "100", "--tile", "16", "--model", model,
                                                   "--precision", precision, "--threads", "2"},
                          2));
    }
}

TEST(CholeskyVirtualProgram, times_the_tasks_of_a_large_matrix_on_a_small_one) {
  const auto program =
      virtual_program(std::vector<std::string>{"--n", "400", "--tile", "16", "--bump", "0"}, 4);
  const auto times = app::measure_tasks(program, 2, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  const auto job = app::capture_job(program, *times);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->unknown_names, std::vector<std::string>());
  EXPECT_TRUE(program.is_one_step);
  const auto run = predict::simulate(*job, {}, {.n_steps = 1});
  // 25 tile rows: factorised, solved, and updated as often as there are pairs and triples of them.
  std::uint64_t n = 0;
  for (const std::uint64_t of_name : run.n_tasks) n += of_name;
  EXPECT_EQ(n, 25 + 25 * 24 / 2 + 25 * 24 / 2 + 25 * 24 * 23 / 6u);
}

TEST(CholeskyVirtualProgram, says_what_a_rank_takes_while_tasks_are_timed) {
  const auto bytes = [](const char* n) {
    return virtual_program(std::vector<std::string>{"--n", n, "--tile", "8000"}, 4)
        .bytes_of_rank_timed;
  };
  EXPECT_GT(bytes("64000"), 64000.0 * 64000 / 4 * 8);
  EXPECT_EQ(bytes("128000"), bytes("64000")) << "the matrix that is timed has eight tile rows";
}

TEST(CholeskyVirtualProgram, refuses_what_a_run_refuses) {
  EXPECT_THROW(virtual_program(std::vector<std::string>{"--n", "-1"}, 2), Error);
  EXPECT_THROW(virtual_program(std::vector<std::string>{"--n", "9", "--latency", "9"}, 2), Error);
}

}  // namespace
}  // namespace thalweg::cholesky
