// SPDX-License-Identifier: MIT
#include <thalweg/trace/critical_path.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

using test::add;
using Shares = std::vector<PathShare>;

TEST(CriticalPath, goes_through_a_message_from_where_both_ends_are_posted) {
  const CriticalPath path = critical_path(test::history(test::make_and_use()));

  EXPECT_EQ(path.length_ns, 30 + (60 - 32) + 30);
  EXPECT_EQ(path.n_rank_changes, 1u);
  EXPECT_EQ(path.shares, (Shares{{"make", 30, 1}, {"use", 30, 1}, {"messages", 28, 1}}));
}

TEST(CriticalPath, message_that_lay_there_before_it_was_asked_for_is_not_longer_for_that) {
  auto traces = test::make_and_use();
  traces[1].events[0][0].start_ns = 50;  // the receive, posted late

  EXPECT_EQ(critical_path(test::history(traces)).length_ns, 30 + (60 - 50) + 30);
}

TEST(CriticalPath, does_not_count_waiting_for_a_worker) {
  const CriticalPath path = critical_path(test::history({test::one_after_another()}));

  EXPECT_EQ(path.length_ns, 40 + 25);
  EXPECT_EQ(path.n_rank_changes, 0u);
  EXPECT_EQ(path.shares, (Shares{{"a", 40, 1}, {"b", 25, 1}}));
}

TEST(CriticalPath, takes_the_longest_of_several) {
  // a -> d, b -> d, b -> c: by time b, d.
  RankTrace trace = test::rank_trace(
      0, 1, 1, test::graph({{}, {}, {}, {}}, {"a", "b", "c", "d"}, {{0, 3}, {1, 3}, {1, 2}}),
      {0, 100});
  add(trace, {0, 0, {0, 10}});
  add(trace, {0, 1, {10, 40}});
  add(trace, {0, 2, {40, 45}});
  add(trace, {0, 3, {50, 57}});

  const CriticalPath path = critical_path(test::history({trace}));

  EXPECT_EQ(path.length_ns, 37);
  EXPECT_EQ(path.shares, (Shares{{"b", 30, 1}, {"d", 7, 1}}));
}

TEST(CriticalPath, goes_on_in_the_next_replay_only_where_something_waits_for_the_last) {
  const auto length = [](std::vector<Edge> wraps, std::uint32_t depth) {
    auto graph = test::graph({{}}, {"a"}, {}, std::move(wraps));
    graph.depth = depth;
    RankTrace trace = test::rank_trace(0, 1, 1, graph, {0, 60});
    for (const std::uint64_t r : {0u, 1u, 2u})
      add(trace, {0, 0, {std::int64_t(20 * r), std::int64_t(20 * r + 15)}, r});
    return critical_path(test::history({trace})).length_ns;
  };
  EXPECT_EQ(length({{0, 0}}, 3), 45);
  EXPECT_EQ(length({}, 3), 15);
  EXPECT_EQ(length({}, 1), 45);  // replay r + 1 must not start before r is complete
  EXPECT_EQ(length({}, 2), 30);
}

TEST(CriticalPath, contains_what_the_program_does_between_runs) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 30});
  trace.runs.push_back({.ordinal = 1, .start_ns = 70, .end_ns = 100});
  add(trace, {0, 0, {0, 30}});
  add(trace, {.worker = 0, .node = 0, .span = {80, 100}, .run = 1});

  const CriticalPath path = critical_path(test::history({trace}));

  EXPECT_EQ(path.length_ns, 30 + 40 + 20);
  EXPECT_EQ(path.shares, (Shares{{"a", 50, 2}, {"between runs", 40, 1}}));
}

}  // namespace
}  // namespace thalweg::trace
