// SPDX-License-Identifier: MIT
#include <thalweg/predict/task_times.hpp>

#include <gtest/gtest.h>

namespace thalweg::predict {
namespace {

using trace::EventKind;
using trace::NodeKind;

TEST(TimesOfTasks, AreTheirMeanWhereSizesAreTheSame) {
  TaskTimes times;
  times.add("advance", 1, 100);
  times.add("advance", 1, 140);
  EXPECT_DOUBLE_EQ(times.at("advance", 1), 120);
  EXPECT_DOUBLE_EQ(times.at("advance", 7), 120);
  EXPECT_TRUE(times.is_known("advance"));
  EXPECT_FALSE(times.is_known("pack"));
}

TEST(TimesOfTasks, LieOnALineOverSizes) {
  TaskTimes times;
  for (const double bytes : {100.0, 200.0, 600.0}) times.add("pack", bytes, 50 + 0.5 * bytes);
  EXPECT_NEAR(times.at("pack", 400), 250, 1e-9);
  EXPECT_NEAR(times.at("pack", 1000), 550, 1e-9);
}

TEST(TimesOfTasks, AreNeitherNegativeNorFalling) {
  TaskTimes steep, falling;
  steep.add("pack", 100, 0);
  steep.add("pack", 200, 100);
  EXPECT_EQ(steep.at("pack", 10), 0);
  falling.add("pack", 100, 30);
  falling.add("pack", 200, 10);
  EXPECT_DOUBLE_EQ(falling.at("pack", 1000), 20);
}

/// Task 0 packs for two sends, 3 unpacks what 4 receives, and 5 has nothing to do with messages.
trace::GraphInfo graph() {
  trace::GraphInfo info{.names = {"pack", "send", "unpack", "recv", "advance"}};
  info.nodes = {{.name = 0},
                {.name = 1, .kind = NodeKind::send, .bytes = 80},
                {.name = 1, .kind = NodeKind::send, .bytes = 20},
                {.name = 2},
                {.name = 3, .kind = NodeKind::recv, .bytes = 64},
                {.name = 4}};
  info.edges = {{0, 1}, {0, 2}, {4, 3}, {3, 5}};
  return info;
}

TEST(SizesOfTasks, AreTheBytesTheyPackAndUnpack) {
  EXPECT_EQ(task_sizes(graph()), (std::vector<double>{100, 1, 1, 64, 1, 1}));
}

TEST(SinkOfTaskTimes, AddsUpTasksOfStepsThatCountAndNothingElse) {
  TaskTimes times;
  TaskTimeSink sink(times, 2);
  EXPECT_FALSE(sink.begin_run({}));  // no step: a regrid, say
  ASSERT_TRUE(sink.begin_run({.first_step = 1}));
  sink.describe(graph());
  sink.record({.start_ns = 0, .end_ns = 99, .replay = 0, .node = 5});
  sink.record({.start_ns = 100, .end_ns = 150, .replay = 1, .node = 0});
  sink.record({.start_ns = 150, .end_ns = 900, .replay = 1, .node = 1, .kind = EventKind::send});
  sink.record({.start_ns = 150, .end_ns = 157, .replay = 1, .node = 5});
  sink.end_run(1000);
  ASSERT_EQ(times.fits().size(), 2u);
  EXPECT_DOUBLE_EQ(times.at("pack", 100), 50);
  EXPECT_DOUBLE_EQ(times.at("advance", 1), 7);
}

TEST(TimesOfATrace, AreThoseOfItsSteps) {
  trace::RankTrace trace{.graphs = {graph()},
                         .runs = {{.graph = 0}, {.graph = 0, .first_step = 3}},
                         .events = {{{.start_ns = 0, .end_ns = 5, .node = 5, .run = 0}},
                                    {{.start_ns = 0, .end_ns = 9, .node = 5, .run = 1},
                                     {.start_ns = 10, .end_ns = 40, .node = 3, .run = 1}}}};
  const TaskTimes times = times_of({&trace, 1});
  ASSERT_EQ(times.fits().size(), 2u);
  EXPECT_DOUBLE_EQ(times.at("advance", 1), 9);
  EXPECT_DOUBLE_EQ(times.at("unpack", 64), 30);
}

}  // namespace
}  // namespace thalweg::predict
