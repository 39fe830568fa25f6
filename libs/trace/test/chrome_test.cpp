// SPDX-License-Identifier: MIT
#include <thalweg/trace/chrome.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace thalweg::trace {
namespace {

nlohmann::json written(const MemorySink& sink, Rank rank) {
  std::ostringstream out;
  write_chrome_json(out, sink, rank);
  return nlohmann::json::parse(out.str());
}

TEST(WriteChromeJson, task_becomes_a_complete_event_in_microseconds) {
  MemorySink sink(3, 4);
  sink.record({.start_ns = 1500,
               .end_ns = 4001,
               .replay = 7,
               .block = 0xffffffffffffffffu,
               .name = sink.intern("a \"quoted\\ name\n"),
               .worker = 2,
               .level = 3});

  const auto json = written(sink, Rank(5));

  const auto& event = json["traceEvents"].back();
  EXPECT_EQ(event["ph"], "X");
  EXPECT_EQ(event["pid"], 5);
  EXPECT_EQ(event["tid"], 2);
  EXPECT_DOUBLE_EQ(event["ts"].get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 2.501);
  EXPECT_EQ(event["name"], "a \"quoted\\ name\n");
  EXPECT_EQ(event["args"]["block"], "18446744073709551615");
  EXPECT_EQ(event["args"]["level"], 3);
  EXPECT_EQ(event["args"]["replay"], 7);
}

TEST(WriteChromeJson, message_becomes_an_asynchronous_pair) {
  MemorySink sink(1, 4);
  sink.record({.start_ns = 0,
               .end_ns = 2000,
               .bytes = 64,
               .name = sink.intern("send"),
               .peer = 1,
               .kind = EventKind::send});

  const auto events = written(sink, Rank(0))["traceEvents"];

  const auto& begin = events[events.size() - 2];
  const auto& end = events.back();
  EXPECT_EQ(begin["ph"], "b");
  EXPECT_EQ(end["ph"], "e");
  EXPECT_EQ(begin["id"], end["id"]);
  EXPECT_EQ(begin["cat"], "send");
  EXPECT_EQ(end["args"]["bytes"], 64);
  EXPECT_EQ(end["args"]["peer"], 1);
}

TEST(WriteChromeJson, ranks_and_workers_are_named) {
  const auto json = written(MemorySink(2, 0), Rank(4));

  EXPECT_EQ(json["traceEvents"][0]["args"]["name"], "rank 4");
  EXPECT_EQ(json["traceEvents"][2]["args"]["name"], "worker 1");
  EXPECT_EQ(json["otherData"]["n_dropped"], 0);
}

}  // namespace
}  // namespace thalweg::trace
