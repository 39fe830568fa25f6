// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/drive.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

namespace thalweg::taskbench {
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

/// What is said of graphs that need more memory than a rank has; "": they do not.
std::string refusal(const std::vector<TaskGraph>& graphs, std::size_t memory_bytes,
                    const RunOptions& options = {}, int n_ranks = 1) {
  try {
    check_memory(graphs, options, n_ranks, memory_bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TaskbenchMemory, of_all_copies_of_outputs_is_counted) {
  const TaskGraph graph{
      .timesteps = 1000, .max_width = 100, .output_bytes_per_task = gib, .nb_fields = 2};
  EXPECT_EQ(refusal({graph}, 64 * gib),
            "-type trivial -steps 1000 -width 100 -output 1073741824 -scratch 0 (a rank needs "
            "200.0 GiB, and "
            "there are 64.0); lower what is large, or take more ranks");
  EXPECT_NE(refusal({graph}, 199 * gib), "");
  EXPECT_EQ(refusal({graph}, 201 * gib), "");
  EXPECT_EQ(refusal({graph}, 51 * gib, {}, 4), "");
  EXPECT_EQ(refusal({graph}, 0), "") << "what is unknown is no limit";
}

TEST(TaskbenchMemory, of_scratch_timesteps_and_other_graphs_is_counted) {
  EXPECT_NE(refusal({{.scratch_bytes_per_task = gib}}, 3 * gib, {.n_threads = 4}), "");
  EXPECT_EQ(refusal({{.scratch_bytes_per_task = gib}}, 3 * gib,
                    {.model = flow::Model::bulk, .n_threads = 4}),
            "");
  EXPECT_NE(refusal({{.timesteps = 99'999'999'999}}, 1000 * gib), "");
  const TaskGraph half{.scratch_bytes_per_task = gib / 2};
  EXPECT_NE(refusal({half, half, half}, gib), "");
}

TEST(TaskbenchMemory, of_tasks_and_their_inputs_is_counted) {
  const auto all_to_all = [](long width) {
    return TaskGraph{.timesteps = 100,
                     .max_width = width,
                     .dependence = Dependence::all_to_all,
                     .nb_fields = 100};
  };
  EXPECT_NE(refusal({all_to_all(100'000'000)}, 1000 * gib).find("-type all_to_all"),
            std::string::npos);
  // Four timesteps are recorded, a process of 316 MiB.
  EXPECT_NE(refusal({all_to_all(1000)}, gib / 5), "");
  EXPECT_EQ(refusal({all_to_all(1000)}, gib / 3), "");
  EXPECT_EQ(refusal({all_to_all(1000)}, gib / 10, {}, 4), "");
  EXPECT_NE(refusal({all_to_all(1000), all_to_all(1000)}, gib / 3), "");
  EXPECT_EQ(refusal({{.timesteps = 1'000'000, .max_width = 100}}, gib), "") << "it is replayed";
  EXPECT_NE(refusal({{.timesteps = 12, .max_width = 10'000'000}}, 30 * gib), "");
}

TEST(TaskbenchMemory, of_patterns_that_grow_is_that_of_what_they_reach) {
  const TaskGraph tree{.timesteps = 4,
                       .max_width = 1 << 20,
                       .dependence = Dependence::tree,
                       .output_bytes_per_task = gib};
  EXPECT_EQ(refusal({tree}, 9 * gib), "");  // eight points
  EXPECT_NE(refusal({tree}, 7 * gib), "");
}

}  // namespace
}  // namespace thalweg::taskbench
