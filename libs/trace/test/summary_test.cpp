// SPDX-License-Identifier: MIT
#include <thalweg/trace/summary.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

Summary summary_of(std::vector<RankTrace> traces) {
  auto made = summarise(std::move(traces));
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(*made);
}
std::string text_of(const Summary& summary) {
  std::ostringstream out;
  write_text(out, summary);
  return out.str();
}

TEST(Summarise, gathers_all_figures) {
  const Summary s = summary_of(test::make_and_use());

  EXPECT_EQ(s.model, "dataflow");
  EXPECT_EQ(s.n_ranks, 2u);
  EXPECT_EQ(s.n_ranks_traced, 2u);
  EXPECT_EQ(s.wall_ns, 100);
  EXPECT_EQ(s.n_messages, 1u);
  EXPECT_EQ(s.message_bytes, 8u);
  EXPECT_EQ(s.workers.size(), 2u);
  EXPECT_EQ(s.tasks.size(), 2u);
  EXPECT_EQ(s.critical_path.length_ns, 88);
  EXPECT_EQ(s.ideal_network_ns, 72);
  EXPECT_DOUBLE_EQ(s.efficiencies.parallel, 0.3);
}

TEST(Summarise, says_why_it_cannot) {
  const auto made = summarise({});

  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("no events"), std::string::npos);
}

TEST(WriteText, has_a_line_for_every_cause_task_and_efficiency) {
  const std::string text = text_of(summary_of(test::make_and_use()));

  for (const char* part :
       {"model dataflow, 2 ranks, 2 workers, all runs", "1 messages, 8 bytes", "message in flight",
        "message not yet sent", "producer running", "producer queued", "no task", "barrier",
        "not traced", "rank 1 worker 0", "make", "use", "critical path", "88.0 %", "load balance",
        "serialisation", "transfer", "72.00 %", "overlap"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("warning"), std::string::npos);
}

TEST(WriteText, says_what_is_missing) {
  auto traces = test::make_and_use();
  traces.pop_back();
  traces[0].n_dropped = 12;
  traces[0].steps = {.first = 3, .last = 9};  // asked for; there is one
  traces[0].runs[0].first_step = 3;

  const std::string text = text_of(summary_of(traces));

  for (const char* part : {"1 of 2 ranks", "step 3:", "warning: 12 events"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(WriteText, many_workers_are_not_listed) {
  RankTrace trace = test::rank_trace(0, 1, 17, test::graph({{}}, {"a"}, {}), {0, 100});
  test::add(trace, {0, 0, {0, 100}});

  EXPECT_EQ(text_of(summary_of({trace})).find("rank 0 worker 0"), std::string::npos);
}

TEST(WriteJson, is_read_back) {
  const Summary s = summary_of(test::make_and_use());
  std::ostringstream out;
  write_json(out, s);
  const auto json = nlohmann::json::parse(out.str());

  EXPECT_EQ(json["schema"], "thalweg-trace-summary-1");
  EXPECT_EQ(json["wall_ns"], 100);
  EXPECT_EQ(json["messages"], 1);
  EXPECT_EQ(json["workers"].size(), 2u);
  EXPECT_EQ(json["workers"][1]["idle_ns"]["message_not_yet_sent"], 27);
  EXPECT_EQ(json["workers"][1]["work_ns"], 30);
  EXPECT_EQ(json["tasks"][0]["count"], 1);
  EXPECT_EQ(json["critical_path"]["length_ns"], 88);
  EXPECT_EQ(json["critical_path"]["shares"].size(), 3u);
  EXPECT_EQ(json["efficiencies"]["transfer"], 0.72);
  EXPECT_FALSE(json.contains("steps"));
}

}  // namespace
}  // namespace thalweg::trace
