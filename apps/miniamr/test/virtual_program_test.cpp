// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/virtual_program.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/app/testing/same_tasks.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/predict/simulate.hpp>

#include "run_on.hpp"

namespace thalweg::miniamr {
namespace {

using testing::words_of;

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

/// How many tasks of a name a refinement has on all ranks.
double n_tasks_of(const predict::RefinementJob& job, const char* name) {
  std::uint64_t n = 0;
  for (const predict::Job& change : job.changes) {
    const auto run = predict::simulate(change, {}, {.n_steps = 1, .depth = 1});
    const auto it = std::ranges::find(change.names, name);
    if (it != change.names.end())
      n += run.n_tasks[static_cast<std::size_t>(it - change.names.begin())];
  }
  return static_cast<double>(n);
}

struct SplitAndJoined {
  double n_split = 0, n_joined = 0;
};

/// What the refinements of a run of so many timesteps split and join.
SplitAndJoined of_run(const std::string& line, int n_ranks, int n_steps) {
  const auto options =
      parse_options(words_of(fmt::format("{} --num_tsteps {}", line, n_steps)), n_ranks);
  const auto outcome = testing::run_on(n_ranks, options);
  EXPECT_EQ(outcome->error, "");
  SplitAndJoined sums;
  for (const Measured& rank : outcome->facts.ranks) {
    sums.n_split += rank.n_split;
    sums.n_joined += rank.n_reformed;
  }
  return sums;
}

TEST(MiniamrVirtualProgram, refines_as_a_run_does_for_the_first_time_after_its_start) {
  const std::string moving =
      "--nx 4 --ny 4 --nz 4 --num_vars 2 --stages_per_ts 1 --num_refine 2 --block_change 1 "
      "--refine_freq 3 --report_perf 0 --num_objects 1 --object 2 0 .2 .3 .3 .1 0 0 .2 .2 .2 0 0 "
      "0 ";
  for (const auto& [grid, n_ranks] : {std::pair{"--init_x 2 --init_y 2 --init_z 2", 1},
                                      {"--npx 2 --init_y 2 --init_z 2", 2},
                                      {"--npx 3 --init_y 2 --init_z 2", 3},
                                      {"--npx 2 --npy 2 --npz 2", 8}}) {
    SCOPED_TRACE(n_ranks);
    const std::string line = moving + grid;
    const auto before = of_run(line, n_ranks, 2), after = of_run(line, n_ranks, 3);
    const auto program = virtual_program(words_of(line), n_ranks);
    ASSERT_TRUE(program.refinement);
    EXPECT_EQ(program.refinement->n_steps, 3);
    const auto job = app::capture_refinement(program, {});
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_GT(after.n_split, before.n_split);
    EXPECT_GT(after.n_joined, before.n_joined);
    EXPECT_EQ(n_tasks_of(*job, "split"), 8 * (after.n_split - before.n_split));
    EXPECT_EQ(n_tasks_of(*job, "join"), after.n_joined - before.n_joined);
    EXPECT_EQ(job->n_ranks, n_ranks);
    EXPECT_GT(job->n_blocks, 0);
    EXPECT_GT(job->n_collectives, 0);
  }
}

TEST(MiniamrVirtualProgram, times_what_a_refinement_takes) {
  const auto program = virtual_program(
      words_of(spheres + "--num_refine 1 --npx 2 --npy 2 --npz 2 --refine_freq 4"), 8);
  const auto times = app::measure_tasks(program, 4, SteadyClock());
  ASSERT_TRUE(times) << times.error().message;
  for (const char* name : {"split", "join", "join and pack", "faces", "mesh"}) {
    ASSERT_TRUE(times->is_known(name)) << name;
    EXPECT_GT(times->at(name, 1), 0) << name;
  }
}

TEST(MiniamrVirtualProgram, times_all_tasks_of_a_refinement_wherever_blocks_go) {
  const std::string line =
      "--nx 4 --ny 4 --nz 4 --num_vars 2 --stages_per_ts 1 --num_refine 2 --refine_freq 3 --npx 2 "
      "--npy 2 --npz 2 --init_x 2 --num_objects 1 --object 2 0 .2 .3 .3 .1 0 0 .2 .2 .2 0 0 0 ";
  for (const char* options :
       {"", "--lb_opt 0", "--lb_opt 2", "--limit_move 10", "--inbalance 400", "--max_blocks 40",
        "--max_blocks 40 --lb_opt 0", "--morton --group_blocks"}) {
    SCOPED_TRACE(options);
    const auto program = virtual_program(words_of(line + options), 8);
    const auto times = app::measure_tasks(program, 2, SteadyClock());
    ASSERT_TRUE(times) << times.error().message;
    const auto job = app::capture_refinement(program, *times);
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_FALSE(job->changes.empty());
    for (const predict::Job& change : job->changes)
      EXPECT_EQ(change.unknown_names, std::vector<std::string>());
  }
}

TEST(MiniamrVirtualProgram, has_no_refinements_where_a_run_has_none) {
  for (const char* options :
       {"--num_refine 0", "--num_refine 1 --refine_freq 0", "--num_refine 1 --uniform_refine 1",
        "--num_refine 1 --refine_freq 5 --num_tsteps 4"})
    EXPECT_FALSE(virtual_program(words_of(spheres + options), 1).refinement) << options;
}

TEST(MiniamrVirtualProgram, says_what_a_rank_takes_while_tasks_are_timed) {
  // Eight ranks have the root blocks of one, of all of which one takes a half on each axis.
  const auto program = virtual_program(
      words_of("--nx 1000 --ny 1000 --nz 1000 --num_vars 40 --init_x 4 --init_y 4 --init_z 4"), 1);
  EXPECT_GT(program.bytes_of_rank_timed, 8 * 40 * 8e9);
  EXPECT_LT(program.bytes_of_rank_timed, 1.1 * 8 * 40 * 8e9);
}

TEST(MiniamrVirtualProgram, refuses_what_a_run_refuses_and_timesteps_without_stages) {
  EXPECT_THROW(virtual_program(words_of("--npx 2"), 3), Error);
  EXPECT_THROW(virtual_program(words_of("--stages_per_ts 0"), 1), Error);
  EXPECT_THROW(virtual_program(words_of("--latency_us 9"), 1), Error);
}

}  // namespace
}  // namespace thalweg::miniamr
