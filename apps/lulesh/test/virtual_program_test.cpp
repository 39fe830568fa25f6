// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/virtual_program.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::lulesh {
namespace {

TEST(LuleshVirtualProgram, has_the_tasks_of_a_run_in_all_models) {
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"}) {
    SCOPED_TRACE(model);
    app::testing::expect_the_tasks_of_a_run(virtual_program(
        std::vector<std::string>{"-s", "3", "--model", model, "--threads", "2"}, 8));
  }
}

TEST(LuleshVirtualProgram, grows_with_the_ranks_which_all_have_the_same_tasks) {
  const std::vector<std::string> words{"-s", "4"};
  const predict::TaskTimes none;
  const auto one = app::capture_job(virtual_program(words, 1), none);
  const auto many = app::capture_job(virtual_program(words, 27), none);
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->n_workers, 1u);
  EXPECT_TRUE(one->connections.empty());
  EXPECT_EQ(many->ranks.size(), 27u);
  EXPECT_GT(many->n_nodes(), 27 * one->n_nodes());
  EXPECT_EQ(virtual_program(words, 27).size, 27 * virtual_program(words, 1).size);
}

TEST(LuleshVirtualProgram, says_what_a_rank_takes_while_tasks_are_timed) {
  const std::vector<std::string> words{"-s", "500"};
  EXPECT_GT(virtual_program(words, 1).bytes_of_rank_timed, 17 * 8 * 125e6);
}

TEST(LuleshVirtualProgram, refuses_what_a_run_refuses) {
  EXPECT_THROW(virtual_program(std::vector<std::string>{"-s", "0"}, 8), Error);
  EXPECT_THROW(virtual_program(std::vector<std::string>{"-s", "4"}, 2), Error);
  EXPECT_THROW(virtual_program(std::vector<std::string>{"-s", "4", "--latency", "9"}, 8), Error);
  EXPECT_THROW(virtual_program(std::vector<std::string>{"-s", "4", "--restart", "a"}, 8), Error);
}

}  // namespace
}  // namespace thalweg::lulesh
