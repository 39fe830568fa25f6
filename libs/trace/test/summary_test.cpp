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
nlohmann::json json_of(const Summary& summary) {
  std::ostringstream out;
  write_json(out, summary);
  return nlohmann::json::parse(out.str());
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

TEST(WriteText, of_some_ranks_says_nothing_that_needs_all) {
  auto traces = test::make_and_use();
  traces.erase(traces.begin());

  const Summary s = summary_of(traces);
  const std::string text = text_of(s);

  EXPECT_FALSE(s.has_all_ranks());
  for (const char* part :
       {"parallel efficiency               -  =", "load balance                    -\n",
        "serialisation                 -\n", "transfer                      -\n",
        "overlap                           -", "critical path: -", "1 of 2 ranks", "trace all"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text_of(summary_of(test::make_and_use())).find("not known"), std::string::npos);
}

/// Steps 3 to 5 of a task each, which end at 30, 50 and 90; asked for are steps 3 to 8.
RankTrace three_steps() {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 100});
  trace.steps = {.first = 3, .last = 9};
  trace.runs[0].first_step = 3;
  trace.runs[0].ordinal = 1;
  test::add(trace, {0, 0, {0, 30}, 0});
  test::add(trace, {0, 0, {30, 50}, 1});
  test::add(trace, {0, 0, {50, 90}, 2});
  return trace;
}

TEST(Summarise, time_per_step_is_from_the_end_of_the_first_to_that_of_the_last) {
  const Summary s = summary_of({three_steps()});

  EXPECT_EQ(s.wall_ns, 90);
  ASSERT_TRUE(s.step_ns);
  EXPECT_DOUBLE_EQ(*s.step_ns, (90 - 30) / 2.0);
  EXPECT_NE(text_of(s).find("time per step: 0.000 ms, from the end of step 3 to that of step 5"),
            std::string::npos)
      << text_of(s);
}

TEST(Summarise, one_step_and_programs_without_have_no_time_per_step) {
  RankTrace trace = three_steps();
  trace.steps = {.first = 4, .last = 5};
  EXPECT_FALSE(summary_of({trace}).step_ns);
  EXPECT_FALSE(summary_of(test::make_and_use()).step_ns);
}

TEST(Summarise, tasks_between_steps_are_of_none) {
  // Of the steps from 0 on there are 3 to 5; the task of a regrid is no step 0.
  RankTrace trace = three_steps();
  trace.steps.first = 0;
  trace.runs.push_back({.ordinal = 2, .start_ns = 100, .end_ns = 120});
  test::add(trace, {.worker = 0, .node = 0, .span = {100, 110}, .run = 1});

  EXPECT_EQ(summary_of({trace}).steps, (StepWindow{.first = 3, .last = 6}));
}

TEST(WriteText, says_which_tasks_are_in_the_table) {
  EXPECT_NE(text_of(summary_of({three_steps()})).find("\ntasks that began in the time, each with"),
            std::string::npos);
}

TEST(WriteText, many_workers_are_not_listed) {
  RankTrace trace = test::rank_trace(0, 1, 17, test::graph({{}}, {"a"}, {}), {0, 100});
  test::add(trace, {0, 0, {0, 100}});

  EXPECT_EQ(text_of(summary_of({trace})).find("rank 0 worker 0"), std::string::npos);
}

TEST(WriteJson, is_read_back) {
  const auto json = json_of(summary_of(test::make_and_use()));

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
  EXPECT_TRUE(json["step_ns"].is_null());
}

TEST(WriteJson, steps_are_without_the_last) {
  const auto json = json_of(summary_of({three_steps()}));

  EXPECT_EQ(json["steps"], (std::vector{3, 6}));
  EXPECT_EQ(json["step_ns"], 30);
}

TEST(WriteJson, what_needs_all_ranks_is_null_without) {
  auto traces = test::make_and_use();
  traces.pop_back();
  const auto json = json_of(summary_of(traces));

  for (const char* part :
       {"parallel", "load_balance", "communication", "serialisation", "transfer"})
    EXPECT_TRUE(json["efficiencies"][part].is_null()) << part;
  EXPECT_TRUE(json["ideal_network_ns"].is_null());
  EXPECT_TRUE(json["overlap_ratio"].is_null());
  EXPECT_TRUE(json["critical_path"]["length_ns"].is_null());
  EXPECT_TRUE(json["critical_path"]["rank_changes"].is_null());
  EXPECT_TRUE(json["critical_path"]["shares"].empty());
  EXPECT_EQ(json["workers"][0]["work_ns"], 30);
}

}  // namespace
}  // namespace thalweg::trace
