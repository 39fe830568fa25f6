// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/task_times.hpp>

#include <string>

#include <gtest/gtest.h>

#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/data/task_names.hpp>
#include <thalweg/miniamr/measured.hpp>

namespace thalweg::miniamr {
namespace {

using trace::Event;
using trace::EventKind;
using trace::NodeKind;

enum Node : std::uint32_t { sweep, check, add, pack, recv, sum_recv, send, split_block };

trace::GraphInfo graph() {
  trace::GraphInfo graph;
  namespace names = data::task_names;
  const auto name = [](std::string_view text) { return std::string(text); };
  graph.names = {name(names::stencil),
                 name(names::check_sums),
                 name(names::add_sums),
                 name(names::pack_faces[2]),
                 "recv",
                 name(names::reduce_sums) + "/recv",
                 "send",
                 name(names::split)};
  graph.nodes = {{.name = 0},
                 {.name = 1},
                 {.name = 2},
                 {.name = 3},
                 {.name = 4, .kind = NodeKind::recv, .level = 1},
                 {.name = 5, .kind = NodeKind::recv},
                 {.name = 6, .kind = NodeKind::send, .bytes = 80},
                 {.name = 7, .level = 2}};
  return graph;
}

/// Steps 5 to 7 on two workers.
void run_once(TaskTimes& times) {
  if (!times.begin_run({.start_ns = 1000, .n_replays = 3, .first_step = 5})) return;
  times.describe(graph());
  times.record({.start_ns = 1000, .end_ns = 1400, .node = sweep, .worker = 0});
  times.record({.start_ns = 1000, .end_ns = 1200, .replay = 1, .node = sweep, .worker = 1});
  times.record({.start_ns = 1400, .end_ns = 1500, .node = check, .worker = 0});
  times.record({.start_ns = 1500, .end_ns = 1520, .node = add, .worker = 0});
  times.record({.start_ns = 1520, .end_ns = 1600, .replay = 2, .node = pack, .worker = 0});
  times.record({.start_ns = 1200, .end_ns = 1300, .node = split_block, .worker = 1});
  times.end_run(2000);
}

/// A worker that is idle until a message comes, and then for no known reason.
void wait_for(TaskTimes& times, Node message) {
  ASSERT_TRUE(times.begin_run({.start_ns = 0, .n_replays = 1, .first_step = 1}));
  times.describe(graph());
  times.record({.start_ns = 50, .end_ns = 290, .node = message, .kind = EventKind::recv});
  times.record({.start_ns = 100, .end_ns = 300, .kind = EventKind::idle});
  times.record({.start_ns = 400, .end_ns = 500, .kind = EventKind::idle});
  times.end_run(1000);
}

TEST(TaskTimes, are_of_a_worker_and_by_kind_of_task) {
  TaskTimes times(2);
  times.set_purpose(Purpose::timesteps);
  run_once(times);
  EXPECT_DOUBLE_EQ(times.compute_s(), 300e-9);
  EXPECT_DOUBLE_EQ(times.checksum_s(), 60e-9);
  EXPECT_DOUBLE_EQ(times.seconds(Purpose::timesteps, Activity::sum), 10e-9);
  EXPECT_DOUBLE_EQ(times.seconds(Purpose::timesteps, Activity::pack_z), 40e-9);
  EXPECT_EQ(times.seconds(Purpose::timesteps, Activity::pack), 0);
  EXPECT_DOUBLE_EQ(times.runs_s(), 1000e-9);
}

TEST(TaskTimes, know_the_direction_that_was_waited_for) {
  TaskTimes times(1);
  times.set_purpose(Purpose::timesteps);
  wait_for(times, recv);
  EXPECT_DOUBLE_EQ(times.seconds(Purpose::timesteps, Activity::wait_y), 200e-9);
  EXPECT_EQ(times.seconds(Purpose::timesteps, Activity::wait), 0);
  wait_for(times, sum_recv);
  EXPECT_DOUBLE_EQ(times.checksum_s(), 200e-9);
}

TEST(TaskTimes, are_there_by_timestep) {
  TaskTimes times(2);
  times.set_purpose(Purpose::timesteps);
  run_once(times);
  const auto steps = times.by_step();
  ASSERT_EQ(steps.size(), 7U);
  EXPECT_DOUBLE_EQ(steps[4].compute_s, 200e-9);
  EXPECT_DOUBLE_EQ(steps[4].gridsum_s, 60e-9);
  EXPECT_DOUBLE_EQ(steps[5].compute_s, 100e-9);
  // Packing, 80 ns, and then nothing of the worker whose last task was of this step.
  EXPECT_DOUBLE_EQ(steps[6].comm_s, 240e-9);
}

TEST(TaskTimes, of_timesteps_add_up_to_those_of_runs) {
  for (const Node message : {recv, sum_recv}) {
    TaskTimes times(1);
    times.set_purpose(Purpose::timesteps);
    wait_for(times, message);
    const auto steps = times.by_step();
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_DOUBLE_EQ(steps[0].gridsum_s, message == recv ? 0 : 200e-9);
    EXPECT_DOUBLE_EQ(steps[0].comm_s + steps[0].gridsum_s, times.runs_s());
  }
  TaskTimes times(2);
  times.set_purpose(Purpose::timesteps);
  run_once(times);
  double sum_s = 0;
  for (const StepTimes& step : times.by_step())
    sum_s += step.compute_s + step.comm_s + step.gridsum_s;
  EXPECT_DOUBLE_EQ(sum_s, times.runs_s());
}

TEST(TaskTimes, add_up_over_runs_and_by_purpose) {
  TaskTimes times(2);
  for (const auto purpose : {Purpose::timesteps, Purpose::pass, Purpose::timesteps}) {
    times.set_purpose(purpose);
    run_once(times);
  }
  EXPECT_DOUBLE_EQ(times.compute_s(), 600e-9);
  EXPECT_DOUBLE_EQ(times.seconds(Purpose::pass, Activity::split), 50e-9);
  EXPECT_DOUBLE_EQ(times.runs_s(), 2000e-9);
}

TEST(MeasuredTimes, of_a_balance_do_not_count_what_is_split_in_it_twice) {
  TaskTimes times(2);
  for (const auto purpose : {Purpose::pass, Purpose::balance}) {
    times.set_purpose(purpose);
    run_once(times);  // a worker splits for 50 ns
  }
  RefineTimes parts;
  parts[RefinePart::balance_blocks] = 180e-9;
  Measured measured{.refine_s = 400e-9};
  settle_times(measured, times, data::FillTimes(), parts, 2);
  const RefineTimes& t = measured.refine_parts;
  EXPECT_DOUBLE_EQ(t[RefinePart::split], 100e-9);
  EXPECT_DOUBLE_EQ(t[RefinePart::balance_blocks], 130e-9);
  EXPECT_DOUBLE_EQ(t[RefinePart::split] + t[RefinePart::balance_total] + t[RefinePart::misc] +
                       t[RefinePart::coarsen_total],
                   400e-9);
}

TEST(TaskTimes, leave_out_runs_that_do_not_count) {
  TaskTimes times(2);
  run_once(times);
  EXPECT_EQ(times.runs_s(), 0);
  EXPECT_EQ(times.compute_s(), 0);
}

}  // namespace
}  // namespace thalweg::miniamr
