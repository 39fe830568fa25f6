// SPDX-License-Identifier: MIT
#include <thalweg/trace/chrome.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

nlohmann::json written(const std::vector<RankTrace>& traces) {
  std::ostringstream out;
  write_chrome_json(out, traces);
  return nlohmann::json::parse(out.str());
}

TEST(WriteChromeJson, task_becomes_a_complete_event_in_microseconds) {
  RankTrace trace = test::rank_trace(
      5, 6, 3,
      test::graph({{.level = 3, .block = 0xffffffffffffffffu}}, {"a \"quoted\\ name\n"}, {}),
      {0, 5000});
  trace.runs[0].first_step = 7;
  test::add(trace, {2, 0, {1500, 4001}, 1});

  const auto json = written({trace});

  const auto& event = json["traceEvents"].back();
  EXPECT_EQ(event["ph"], "X");
  EXPECT_EQ(event["pid"], 5);
  EXPECT_EQ(event["tid"], 2);
  EXPECT_DOUBLE_EQ(event["ts"].get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 2.501);
  EXPECT_EQ(event["name"], "a \"quoted\\ name\n");
  EXPECT_EQ(event["cat"], "task");
  EXPECT_EQ(event["args"]["block"], "18446744073709551615");
  EXPECT_EQ(event["args"]["level"], 3);
  EXPECT_EQ(event["args"]["step"], 8);
  EXPECT_EQ(event["args"]["node"], 0);
}

TEST(WriteChromeJson, event_of_no_step_has_none) {
  // As in a regrid: its graph runs once, between steps.
  auto traces = test::make_and_use();
  traces[0].runs[0].first_step = 29;
  const auto json = written(traces);

  for (const auto& event : json["traceEvents"]) {
    if (event.value("cat", "idle") == "idle") continue;
    EXPECT_EQ(event["args"].contains("step"), event["pid"] == 0) << event;
    EXPECT_EQ(event["args"].contains("replay"), event["pid"] == 1) << event;
  }
}

TEST(WriteChromeJson, says_what_it_is_a_trace_of) {
  auto traces = test::make_and_use();
  auto json = written(traces)["otherData"];
  EXPECT_EQ(json["model"], "dataflow");
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["ranks_traced"], 2);
  EXPECT_EQ(json["window_us"], (std::vector{0.0, 0.1}));
  EXPECT_EQ(json["wall_ns"], 100);
  EXPECT_FALSE(json.contains("steps"));

  traces.pop_back();
  traces[0].steps = {.first = 29, .last = 35};
  traces[0].runs[0].first_step = 29;
  json = written(traces)["otherData"];
  EXPECT_EQ(json["steps"], (std::vector{29, 30}));  // those there are
  EXPECT_EQ(json["ranks_traced"], 1);
  EXPECT_EQ(json["window_us"], (std::vector{0.0, 0.04}));

  EXPECT_EQ(written({})["otherData"]["n_dropped"], 0);
}

TEST(WriteChromeJson, message_becomes_an_asynchronous_pair) {
  const auto json = written({test::make_and_use()[0]});

  std::vector<nlohmann::json> pair;
  for (const auto& event : json["traceEvents"])
    if (event.value("cat", "") == "send") pair.push_back(event);
  ASSERT_EQ(pair.size(), 2u);
  EXPECT_EQ(pair[0]["ph"], "b");
  EXPECT_EQ(pair[1]["ph"], "e");
  EXPECT_EQ(pair[0]["id"], pair[1]["id"]);
  EXPECT_DOUBLE_EQ(pair[0]["ts"].get<double>(), 0.032);
  EXPECT_DOUBLE_EQ(pair[1]["ts"].get<double>(), 0.040);
  EXPECT_EQ(pair[1]["args"]["bytes"], 8);
  EXPECT_EQ(pair[1]["args"]["peer"], 1);
}

TEST(WriteChromeJson, ranks_and_workers_are_named) {
  auto traces = test::make_and_use();
  traces[1].n_dropped = 3;
  const auto json = written(traces);

  EXPECT_EQ(json["traceEvents"][0]["args"]["name"], "rank 0");
  EXPECT_EQ(json["traceEvents"][1]["args"]["name"], "worker 0");
  EXPECT_EQ(json["otherData"]["n_dropped"], 3);
  std::size_t n_idle = 0;
  for (const auto& event : json["traceEvents"]) n_idle += event["name"] == "idle" ? 1 : 0;
  EXPECT_EQ(n_idle, 3u);
}

}  // namespace
}  // namespace thalweg::trace
