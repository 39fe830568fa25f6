// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/virtual_program.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::hpccg {
namespace {

TEST(HpccgVirtualProgram, has_the_tasks_of_a_run_in_all_models_and_formats) {
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const char* format : {"sell", "csr", "free"}) {
      SCOPED_TRACE(std::string(model) + " " + format);
      app::testing::expect_the_tasks_of_a_run(
          virtual_program(std::vector<std::string>{"6", "5", "4", "--model", model, "--format",
                                                   format, "--threads", "2"},
                          2));
    }
}

TEST(HpccgVirtualProgram, is_timed_on_a_grid_that_packs_what_the_whole_one_does) {
  const std::vector<std::string> words{"4", "4", "4", "--ranks", "3x2x1"};
  EXPECT_EQ(virtual_program(words, 6).n_ranks_timed, 8);
  const std::vector<std::string> cube{"4", "4", "4", "--ranks", "2x2x2"};
  app::testing::expect_the_tasks_of_a_run(virtual_program(cube, 8));
}

TEST(HpccgVirtualProgram, grows_with_the_ranks) {
  const std::vector<std::string> words{"4", "4", "4"};
  const predict::TaskTimes none;
  const auto one = app::capture_job(virtual_program(words, 1), none);
  const auto three = app::capture_job(virtual_program(words, 3), none);
  ASSERT_TRUE(one && three);
  EXPECT_TRUE(one->connections.empty());
  EXPECT_EQ(three->ranks.size(), 3u);
  EXPECT_EQ(virtual_program(words, 3).size, 3 * virtual_program(words, 1).size);
}

TEST(HpccgVirtualProgram, says_what_a_rank_takes_while_tasks_are_timed) {
  const std::vector<std::string> words{"1000", "1000", "1000"};
  EXPECT_GT(virtual_program(words, 1).bytes_of_rank_timed, 6 * 8e9);
}

TEST(HpccgVirtualProgram, refuses_what_a_run_refuses) {
  EXPECT_THROW(virtual_program(std::vector<std::string>{"4", "4"}, 2), Error);
  EXPECT_THROW(virtual_program(std::vector<std::string>{"4", "4", "4", "--latency", "9"}, 2),
               Error);
}

}  // namespace
}  // namespace thalweg::hpccg
