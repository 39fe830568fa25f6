// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/task_times.hpp>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

using trace::Event;
using trace::EventKind;
using trace::NodeKind;

// A sweep, a checksum, something else, and messages, one of which has the name of a task.
trace::GraphInfo graph() {
  trace::GraphInfo graph;
  graph.names = {"stencil", "validate", "pack", "send"};
  graph.nodes = {{.name = 0},
                 {.name = 1},
                 {.name = 2},
                 {.name = 3, .kind = NodeKind::send, .bytes = 80},
                 {.name = 0, .kind = NodeKind::recv}};
  return graph;
}

void run_once(TaskTimes& times) {
  if (!times.begin_run({.start_ns = 1000, .n_replays = 3})) return;
  times.describe(graph());
  times.record({.start_ns = 1000, .end_ns = 1400, .node = 0, .worker = 0});
  times.record({.start_ns = 1000, .end_ns = 1200, .node = 0, .worker = 1});
  times.record({.start_ns = 1400, .end_ns = 1500, .node = 1, .worker = 0});
  times.record({.start_ns = 1500, .end_ns = 1900, .node = 2, .worker = 0});
  times.record({.start_ns = 1500, .end_ns = 1900, .node = 0, .worker = 0, .kind = EventKind::idle});
  times.end_run(2000);
}

TEST(TaskTimes, are_of_a_worker_and_by_kind_of_task) {
  TaskTimes times(2);
  times.count_runs(true);
  run_once(times);
  EXPECT_DOUBLE_EQ(times.compute_s(), 300e-9);
  EXPECT_DOUBLE_EQ(times.checksum_s(), 50e-9);
  EXPECT_DOUBLE_EQ(times.runs_s(), 1000e-9);
}

TEST(TaskTimes, add_up_over_runs) {
  TaskTimes times(2);
  times.count_runs(true);
  run_once(times);
  run_once(times);
  EXPECT_DOUBLE_EQ(times.compute_s(), 600e-9);
  EXPECT_DOUBLE_EQ(times.runs_s(), 2000e-9);
}

TEST(TaskTimes, leave_out_runs_that_do_not_count) {
  TaskTimes times(2);
  run_once(times);
  EXPECT_EQ(times.runs_s(), 0);
  EXPECT_EQ(times.compute_s(), 0);
}

}  // namespace
}  // namespace thalweg::miniamr
