// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/virtual_program.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::miniamr {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const std::string spheres =
    "--nx 4 --ny 4 --nz 4 --num_vars 6 --stages_per_ts 3 --checksum_freq 2 --num_objects 1 "
    "--object 2 0 .3 .3 .3 0 0 0 .2 .2 .2 0 0 0 ";

TEST(MiniamrVirtualProgram, has_the_tasks_of_a_run_in_all_models_and_stencils) {
  for (const char* model : {"bulk", "forkjoin", "phase", "dataflow"})
    for (const char* stencil : {"7", "27"}) {
      SCOPED_TRACE(std::string(model) + " " + stencil);
      app::testing::expect_the_tasks_of_a_run(virtual_program(
          words_of(spheres + "--num_refine 1 --npx 2 --npy 2 --npz 2 --threads 2 --error_tol 0 " +
                   "--comm_vars 4 --send_faces --separate_buffers --max_comm_tasks 2 --stencil " +
                   stencil + " --model " + model),
          8));
    }
}

TEST(MiniamrVirtualProgram, shares_one_mesh_out_to_any_ranks) {
  const auto n_swept = [](const std::string& grid, int n_ranks) {
    const auto job = app::capture_job(
        virtual_program(words_of(spheres + "--num_refine 2 " + grid), n_ranks), {});
    EXPECT_TRUE(job) << job.error().message;
    const auto run = predict::simulate(*job, {}, {.n_steps = 1});
    const auto name = std::ranges::find(job->names, "stencil");
    return run.n_tasks[static_cast<std::size_t>(name - job->names.begin())];
  };
  const auto alone = n_swept("--init_x 2 --init_y 2 --init_z 2", 1);
  EXPECT_GT(alone, 3 * 8u) << "three stages of eight root blocks, of which some are refined";
  EXPECT_EQ(n_swept("--npx 2 --init_y 2 --init_z 2", 2), alone);
  EXPECT_EQ(n_swept("--npx 2 --npy 2 --npz 2", 8), alone);
}

// Times depend on whether blocks stay in the cache.
TEST(MiniamrVirtualProgram, times_tasks_on_as_many_blocks_as_a_rank_has) {
  constexpr std::int64_t n_steps = 3;
  for (const int init : {1, 4}) {
    const auto program = virtual_program(
        words_of(fmt::format("--nx 4 --ny 4 --nz 4 --num_vars 2 --stages_per_ts 5 --num_refine 0 "
                             "--init_x {0} --init_y {0} --init_z {0}",
                             init)),
        1);
    const auto times = app::measure_tasks(program, n_steps, SteadyClock());
    ASSERT_TRUE(times) << times.error().message;
    const int n_blocks = std::max(8, init * init * init);  // of eight ranks, one each at least
    EXPECT_EQ(times->fits().at("stencil").n, (n_steps - 1) * 5 * n_blocks);
  }
}

TEST(MiniamrVirtualProgram, refuses_what_a_run_refuses_and_timesteps_without_stages) {
  EXPECT_THROW(virtual_program(words_of("--npx 2"), 3), Error);
  EXPECT_THROW(virtual_program(words_of("--stages_per_ts 0"), 1), Error);
}

}  // namespace
}  // namespace thalweg::miniamr
