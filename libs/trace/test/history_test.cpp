// SPDX-License-Identifier: MIT
#include <thalweg/trace/history.hpp>

#include <initializer_list>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "../../../tests/support/text.hpp"
#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

using test::add;
using test::add_idle;

std::string failure(std::vector<RankTrace> traces) {
  const auto made = History::of(std::move(traces));
  return made ? "" : made.error().message;
}
using thalweg::testing::expect_parts;

TEST(History, window_of_everything_is_from_the_first_run_to_the_last) {
  auto traces = test::make_and_use();
  traces[1].runs[0].end_ns = 120;

  const History history = test::history(traces);

  EXPECT_EQ(history.window(), (Span{0, 120}));
  EXPECT_EQ(history.n_workers(), 2u);
  EXPECT_EQ(history.runs(0), (std::vector<Span>{{0, 100}}));
}

/// Steps 1 to 4, 10 ns each, from some time on.
RankTrace four_steps(std::uint32_t rank, std::int64_t from_ns, const StepWindow& steps) {
  RankTrace trace =
      test::rank_trace(rank, 2, 1, test::graph({{}}, {"a"}, {}), {from_ns, from_ns + 40});
  trace.runs[0].first_step = 1;
  trace.steps = steps;
  for (std::uint64_t r = 0; r < 4; ++r) {
    const std::int64_t start = from_ns + 10 * static_cast<std::int64_t>(r);
    add(trace, {0, 0, {start, start + 10}, r});
  }
  return trace;
}

TEST(History, window_of_steps_is_where_all_ranks_are_in_them) {
  const StepWindow steps{.first = 2, .last = 4};
  const History history = test::history({four_steps(0, 0, steps), four_steps(1, 5, steps)});

  EXPECT_EQ(history.window(), (Span{15, 30}));
}

TEST(History, window_without_events_is_refused) {
  expect_parts(failure({four_steps(0, 0, {.first = 7, .last = 9})}), {"no events", "other steps"});
}

TEST(History, steps_with_no_time_in_common_are_refused) {
  const StepWindow steps{.first = 2, .last = 3};

  expect_parts(failure({four_steps(0, 0, steps), four_steps(1, 15, steps)}), {"in common", "more"});
}

TEST(History, full_buffers_are_why_there_is_no_window) {
  const StepWindow steps{.first = 3, .last = 4};
  RankTrace full = four_steps(0, 0, steps);
  full.n_dropped = 12;
  full.events[0].resize(2);
  expect_parts(failure({full}), {"12 events found no room", "fewer steps", "trace.max_events"});

  RankTrace other = four_steps(1, 100, steps);
  EXPECT_EQ(failure({full, other}), "");
  full.events[0] = four_steps(0, 0, steps).events[0];
  expect_parts(failure({full, other}), {"12 events found no room", "fewer steps"});
}

TEST(History, causes_come_before_what_they_cause) {
  const History history = test::history(test::make_and_use());
  std::vector<std::size_t> place(history.instances().size());
  for (std::size_t i = 0; i < history.order().size(); ++i) place[history.order()[i]] = i;

  std::size_t n = 0;
  for (std::uint32_t i = 0; i < history.instances().size(); ++i)
    for (const Cause& cause : history.causes(i)) {
      EXPECT_LT(place[cause.instance], place[i]);
      ++n;
    }
  EXPECT_EQ(n, 2u + 2u + 1u);  // edges, tokens to sources, the message
}

TEST(History, names_what_is_no_task_too) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 30});
  trace.runs.push_back({.ordinal = 1, .start_ns = 70, .end_ns = 100});
  add(trace, {0, 0, {0, 30}});
  add(trace, {.worker = 0, .node = 0, .span = {80, 100}, .run = 1});
  const History history = test::history({trace});

  std::multiset<std::string> names;
  for (const Instance& i : history.instances()) names.emplace(history.name(i));
  EXPECT_EQ(names, (std::multiset<std::string>{"a", "a", "between runs", "token", "token"}));
}

TEST(History, other_hosts_clock_is_put_right) {
  auto traces = test::make_and_use();
  // The clock of rank 1 is 7000 ahead. A message the other way, as quick as the first (28 ns).
  auto& answer = traces[1].graphs[0];
  answer.nodes.push_back({.name = 0, .kind = NodeKind::send, .peer = 0});
  traces[0].graphs[0].nodes.push_back({.name = 0, .kind = NodeKind::recv, .peer = 1});
  add(traces[1], {0, 2, {62, 70}});
  add(traces[0], {0, 2, {0, 90}});
  for (Event& e : traces[1].events[0]) {
    e.start_ns += 7000;
    e.end_ns += 7000;
  }
  traces[1].runs[0].start_ns += 7000;
  traces[1].runs[0].end_ns += 7000;
  traces[1].host = "there";

  const History history = test::history(traces);

  EXPECT_EQ(history.window(), (Span{0, 100}));
  EXPECT_EQ(history.instances()[history.tasks(1, 0)[0]].span, (Span{62, 92}));
}

TEST(History, traces_that_contradict_themselves_are_refused) {
  expect_parts(failure({}), {"no events"});

  RankTrace twice = test::rank_trace(0, 1, 2, test::graph({{}}, {"a"}, {}), {0, 100});
  add(twice, {0, 0, {10, 50}});
  add(twice, {1, 0, {45, 60}});
  expect_parts(failure({twice}), {"rank 0", "node 0", "twice"});

  auto sent_twice = test::make_and_use();
  add(sent_twice[0], {0, 1, {50, 60}});
  expect_parts(failure(sent_twice), {"rank 0", "node 1", "twice"});

  auto at_once = test::one_after_another();
  add_idle(at_once, 0, {90, 110});
  expect_parts(failure({at_once}), {"rank 0", "worker 0", "at once"});

  auto circle = test::one_after_another();
  circle.graphs[0].edges.push_back({1, 0});
  expect_parts(failure({circle}), {"cycle"});
}

}  // namespace
}  // namespace thalweg::trace
