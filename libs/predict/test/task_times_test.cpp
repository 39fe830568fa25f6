// SPDX-License-Identifier: MIT
#include <thalweg/predict/task_times.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

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
  // What it computes is sent here and there: the bytes of that are not what takes its time.
  for (const double bytes : {0.0, 0.0, 4000.0, 4000.0})
    times.add("solve", bytes, bytes > 0 ? 30 : 10);
  EXPECT_EQ(times.at("solve", 0), 20);
  EXPECT_EQ(times.at("solve", 4000), 20);
  // All of it is sent; sizes so close to each other do not say what none would take.
  for (const double bytes : {26000.0, 32000.0}) times.add("close", bytes, bytes > 30000 ? 30 : 10);
  EXPECT_EQ(times.at("close", 1), 20);
  EXPECT_NEAR(times.at("pack", 400), 250, 1e-9);
  EXPECT_NEAR(times.at("pack", 1000), 550, 1e-9);
}

TEST(TimesOfTasks, AreNeitherNegativeNorFalling) {
  TaskTimes steep, falling;
  steep.add("pack", 100, 0);
  steep.add("pack", 200, 100);
  EXPECT_DOUBLE_EQ(steep.at("pack", 10), 4);  // y = x (100 * 0 + 200 * 100) / (100^2 + 200^2)
  EXPECT_EQ(steep.at("pack", 0), 0);
  falling.add("pack", 100, 30);
  falling.add("pack", 200, 10);
  EXPECT_DOUBLE_EQ(falling.at("pack", 1000), 20);
}

TEST(TimesOfTasks, MayBeGivenAsALine) {
  TaskTimes times;
  times.set_line("pack", {50, 0.5});
  EXPECT_EQ(times.at("pack", 0), 50);
  EXPECT_EQ(times.at("pack", 100), 100);
  times.set_line("pack", {7, 0});
  EXPECT_EQ(times.at("pack", 100), 7);
}

TEST(TimesOfTasks, OfSeveralBlocksAreLikeThoseOfOne) {
  TaskTimes times;
  times.set_line("fill", {50, 0.5});
  times.set_memory_bound("fill");
  times.set_spread("fill", {0.5, 1.5});
  times.add("advance", 0, 90);
  times.add("advance", 0, 110);
  times.set_like("fill joined", "fill", 4);
  times.set_like("advance joined", "advance", 4);
  EXPECT_EQ(times.at("fill joined", 0), 200);
  EXPECT_EQ(times.at("fill joined", 400), 4 * times.at("fill", 100));
  EXPECT_TRUE(times.is_memory_bound("fill joined"));
  EXPECT_EQ(times.fits().at("fill joined").spread, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(times.at("advance joined", 0), 400);
  EXPECT_FALSE(times.is_memory_bound("advance joined"));
  EXPECT_EQ(times.at("fill", 0), 50);
}

TEST(FileOfTaskTimes, ReadsBackToTheSameLines) {
  TaskTimes times;
  for (const double bytes : {100.0, 200.0, 600.0}) times.add("pack", bytes, 0.5 * bytes - 20);
  times.add("advance", 1, 100);
  times.add("advance", 1, 140);
  times.set_memory_bound("pack");
  const TaskTimes read = read_task_times(to_toml(times), "t.toml");
  EXPECT_TRUE(read.is_memory_bound("pack"));
  EXPECT_FALSE(read.is_memory_bound("advance"));
  ASSERT_EQ(read.fits().size(), 2u);
  for (const char* name : {"pack", "advance"})
    EXPECT_EQ(read.fits().at(name).line(), times.fits().at(name).line()) << name;
  EXPECT_DOUBLE_EQ(read.at("advance", 1), 120);
  EXPECT_DOUBLE_EQ(read.at("advance", 7), 120);
}

TEST(FileOfTaskTimes, IsWrittenAsItWasRead) {
  TaskTimes times;
  times.set_line("point", {111, 0.7291666666666666});
  const std::string text = to_toml(times);
  EXPECT_EQ(to_toml(read_task_times(text, "t.toml")), text);
}

TEST(FileOfTaskTimes, KeepsHowTimesDiffer) {
  TaskTimes times;
  times.add("advance", 1, 100);
  times.add("pack", 1, 50);
  times.add("fill", 1, 30);
  times.set_spread("advance", {0.5, 0.75, 1, 1.75});
  times.set_spread("pack", {0.5, 1.5});
  const TaskTimes read = read_task_times(to_toml(times), "t.toml");
  EXPECT_EQ(read.fits().at("advance").spread, (std::vector<double>{0.5, 0.75, 1, 1.75}));
  EXPECT_EQ(read.fits().at("pack").spread, (std::vector<double>{0.5, 1.5}));
  EXPECT_TRUE(read.fits().at("fill").spread.empty());
}

TEST(FileOfTaskTimes, SaysWhatTheyAreOf) {
  TaskTimes times;
  times.add("advance", 1, 100);
  EXPECT_EQ(read_task_times(to_toml(times), "t.toml").of(), TimesOf{});  // as older files
  const TimesOf of{"hydro",
                   {{"mesh.dim", "2"}, {"mesh.block_cells", "[16, 16]"}},
                   {{"hydro.scheme", "\"vl2\""}}};
  times.set_of(of);
  EXPECT_EQ(read_task_times(to_toml(times), "t.toml").of(), of);
}

TEST(FileOfTaskTimes, IsRefusedWithAllThatIsWrong) {
  const auto complaint_about = [](const std::string& text) -> std::string {
    try {
      read_task_times("[tasks]\n" + text, "t.toml");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [&](const std::string& text, const std::string& part) {
    const std::string complaint = complaint_about(text);
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
  };
  says("names = [\"a\"]\nns = [1]\n", "tasks.ns_per_byte");
  says("names = [\"a\"]\nns = [1, 2]\nns_per_byte = [0]\n", "1 of tasks.names, 2 of tasks.ns");
  says("names = [\"a\"]\nns = [1]\nns_per_byte = [-1]\n", "ns_per_byte");
  says("names = [\"a\"]\nns = [1]\nns_per_byte = [0]\nmemory_bound = [\"b\"]\n",
       "memory_bound has 'b'");
  const std::string two = "names = [\"a\", \"b\"]\nns = [1, 2]\nns_per_byte = [0, 0]\n";
  says(two + "spread = [1, 1, 1]\nspread_sizes = [2, 2]\n", "3 of tasks.spread for 4 of them");
  says(two + "spread = [1]\nspread_sizes = [1]\n", "1 of tasks.spread_sizes for 2 names");
  says(two + "spread = [0, 1]\nspread_sizes = [2, 0]\n", "'a' has the mean 0.5");
  says(two + "[of]\nsettings = [\"mesh.dim\"]\n", "of.settings has 'mesh.dim'");
  says("names = [\"a\", \"a\"]\nns = [1, 2]\nns_per_byte = [0, 0]\n", "'a' twice");
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
  EXPECT_EQ(task_sizes(graph()), (std::vector<double>{100, 0, 0, 64, 0, 0}));
}

TEST(SizesOfTasks, AreEqualPartsOfAMessageThatSeveralPackOrUnpack) {
  trace::GraphInfo shared = graph();
  shared.edges = {{0, 1}, {3, 1}, {5, 1}, {3, 2}, {4, 3}, {4, 5}};
  const double third = 80 / 3.0;
  EXPECT_EQ(task_sizes(shared), (std::vector<double>{third, 0, 0, third + 20 + 32, 0, third + 32}));
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
  EXPECT_EQ(times.fits().at("advance").spread, (std::vector<double>{1}));
}

TEST(TimesOfATrace, HaveFactorsOfMean1HoweverManyThereAre) {
  for (const std::int64_t n : {3, 65, 100, 1000}) {
    trace::RankTrace trace{
        .graphs = {graph()}, .runs = {{.graph = 0, .first_step = 1}}, .events = {{}}};
    for (std::int64_t i = 0; i < n; ++i)
      trace.events[0].push_back({.start_ns = 0, .end_ns = 10 + i * i, .node = 5});
    const TaskTimes times = times_of({&trace, 1});
    const auto& spread = times.fits().at("advance").spread;
    EXPECT_NEAR(std::accumulate(spread.begin(), spread.end(), 0.0),
                static_cast<double>(spread.size()), 1e-10)
        << n;
    EXPECT_EQ(read_task_times(to_toml(times), "t.toml").fits().at("advance").spread, spread);
  }
}

TEST(TimesOfATrace, SayHowMuchSingleOnesDiffer) {
  trace::RankTrace trace{
      .graphs = {graph()}, .runs = {{.graph = 0, .first_step = 1}}, .events = {{}}};
  // 256 times: 1, 2, ..., 256, so that of 64 parts the first is 1 to 4 and the last 253 to 256.
  for (std::int64_t ns = 256; ns >= 1; --ns)
    trace.events[0].push_back({.start_ns = 1000, .end_ns = 1000 + ns, .node = 5});
  const TaskTimes times = times_of({&trace, 1});
  const auto& spread = times.fits().at("advance").spread;
  ASSERT_EQ(spread.size(), 64U);
  EXPECT_NEAR(spread.front(), 2.5 / 128.5, 1e-12);
  EXPECT_NEAR(spread.back(), 254.5 / 128.5, 1e-12);
  EXPECT_TRUE(std::ranges::is_sorted(spread));
  EXPECT_NEAR(std::accumulate(spread.begin(), spread.end(), 0.0), 64, 1e-12);
}

}  // namespace
}  // namespace thalweg::predict
