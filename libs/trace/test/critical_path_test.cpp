// SPDX-License-Identifier: MIT
#include <thalweg/trace/critical_path.hpp>

#include <string>
#include <vector>

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

/// Rank 0 sends messages to rank 1, which uses each: a worker each, a message every 100 ns.
/// @param flights  from when each is sent, at 10, until it is seen; a receive is posted at 5
std::vector<RankTrace> messages_seen(const std::vector<std::int64_t>& flights,
                                     const std::vector<std::uint64_t>& bytes) {
  const auto n = static_cast<std::uint32_t>(flights.size());
  std::vector<NodeInfo> sends(n), recvs(n);
  std::vector<std::string> send_names, recv_names;
  std::vector<Edge> edges;
  for (std::uint32_t m = 0; m < n; ++m) {
    sends[m] = {.kind = NodeKind::send, .peer = 1, .tag = m, .bytes = bytes[m]};
    recvs[m] = {.kind = NodeKind::recv, .peer = 0, .tag = m, .bytes = bytes[m]};
    send_names.push_back("send");
    recv_names.push_back("recv");
    edges.push_back({m, n + m});
    recvs.push_back({});
  }
  for (std::uint32_t m = 0; m < n; ++m) recv_names.push_back("use " + std::to_string(m));
  RankTrace from = test::rank_trace(0, 2, 1, test::graph(sends, send_names, {}), {0, 1000});
  RankTrace to = test::rank_trace(1, 2, 1, test::graph(recvs, recv_names, edges), {0, 1000});
  for (std::uint32_t m = 0; m < n; ++m) {
    const std::int64_t start_ns = 100 * m;
    add(from, {0, m, {start_ns + 10, start_ns + 12}});
    add(to, {0, m, {start_ns + 5, start_ns + 10 + flights[m]}});
    add(to, {0, n + m, {start_ns + 10 + flights[m], start_ns + 11 + flights[m]}});
  }
  return {from, to};
}

TEST(CriticalPath, message_that_is_seen_late_takes_as_long_as_the_quickest_of_its_size) {
  // The second one is there at 130, but rank 1 is busy until 180.
  const CriticalPath path = critical_path(test::history(messages_seen({20, 70}, {8, 8})));

  EXPECT_EQ(path.length_ns, 20 + 1);
  EXPECT_EQ(path.shares.front(), (PathShare{"messages", 20, 1}));
}

TEST(CriticalPath, small_message_takes_no_longer_than_a_larger_one) {
  EXPECT_EQ(critical_path(test::history(messages_seen({20, 70}, {16, 8}))).length_ns, 20 + 1);
}

TEST(CriticalPath, message_that_is_slow_as_it_is_large_takes_its_time) {
  EXPECT_EQ(critical_path(test::history(messages_seen({20, 70}, {8, 32}))).length_ns, 70 + 1);
}

TEST(CriticalPath, message_takes_no_longer_than_its_parts_would_one_after_another) {
  EXPECT_EQ(critical_path(test::history(messages_seen({20, 70}, {8, 17}))).length_ns, 3 * 20 + 1);
  EXPECT_EQ(critical_path(test::history(messages_seen({20, 70}, {8, 16}))).length_ns, 2 * 20 + 1);
  EXPECT_EQ(critical_path(test::history(messages_seen({20, 70}, {0, 2}))).length_ns, 2 * 20 + 1);
}

TEST(CriticalPath, quickness_within_a_host_says_nothing_of_the_network) {
  const auto length = [](const char* host) {
    // The quick message is one between ranks 2 and 3, which are on the host of rank 0.
    auto traces = messages_seen({70}, {8});
    traces[1].host = host;
    RankTrace neighbour = test::rank_trace(
        2, 3, 1, test::graph({{.kind = NodeKind::send, .peer = 3, .bytes = 8}}, {"send"}, {}),
        {0, 1000});
    RankTrace its_peer = test::rank_trace(
        3, 4, 1, test::graph({{.kind = NodeKind::recv, .peer = 2, .bytes = 8}}, {"recv"}, {}),
        {0, 1000});
    add(neighbour, {0, 0, {10, 12}});
    add(its_peer, {0, 0, {5, 30}});
    traces.push_back(neighbour);
    traces.push_back(its_peer);
    return critical_path(test::history(traces)).length_ns;
  };
  EXPECT_EQ(length("here"), 20 + 1);
  EXPECT_EQ(length("there"), 70 + 1);
}

TEST(CriticalPath, late_sights_of_a_chain_do_not_add_up) {
  // a on rank 0, b on rank 1, c on rank 0: a message takes 20, and rank 0 sees its one 50 late.
  RankTrace first =
      test::rank_trace(0, 2, 1,
                       test::graph({{},
                                    {.kind = NodeKind::send, .peer = 1, .tag = 1, .bytes = 8},
                                    {.kind = NodeKind::recv, .peer = 1, .tag = 2, .bytes = 8},
                                    {},
                                    {}},
                                   {"a", "send", "recv", "c", "other"}, {{0, 1}, {2, 3}}),
                       {0, 200});
  add(first, {0, 0, {0, 10}});
  add(first, {0, 1, {10, 11}});
  add(first, {0, 4, {11, 110}});
  add(first, {0, 2, {10, 110}});
  add(first, {0, 3, {110, 120}});
  RankTrace second =
      test::rank_trace(1, 2, 1,
                       test::graph({{.kind = NodeKind::recv, .peer = 0, .tag = 1, .bytes = 8},
                                    {},
                                    {.kind = NodeKind::send, .peer = 0, .tag = 2, .bytes = 8}},
                                   {"recv", "b", "send"}, {{0, 1}, {1, 2}}),
                       {0, 200});
  add(second, {0, 0, {5, 30}});
  add(second, {0, 1, {30, 40}});
  add(second, {0, 2, {40, 41}});

  auto traces = std::vector{first, second};
  EXPECT_EQ(critical_path(test::history(traces)).length_ns, 99);  // "other" alone

  traces[0].events[0][2].start_ns = 100;  // which now takes 10
  const CriticalPath path = critical_path(test::history(traces));
  EXPECT_EQ(path.length_ns, 10 + 20 + 10 + 20 + 10);
  EXPECT_EQ(path.n_rank_changes, 2u);
  EXPECT_EQ(path.shares.front(), (PathShare{"messages", 40, 2}));
}

TEST(CriticalPath, send_whose_end_is_seen_late_takes_as_long_as_the_quickest_of_its_size) {
  // What a send reads is written again after it: "change" waits for its end.
  RankTrace trace =
      test::rank_trace(0, 2, 1,
                       test::graph({{.kind = NodeKind::send, .peer = 1, .tag = 1, .bytes = 8},
                                    {.kind = NodeKind::send, .peer = 1, .tag = 2, .bytes = 8},
                                    {}},
                                   {"send", "send", "change"}, {{1, 2}}),
                       {0, 200});
  add(trace, {0, 0, {10, 15}});
  add(trace, {0, 1, {20, 90}});
  add(trace, {0, 2, {90, 100}});

  EXPECT_EQ(critical_path(test::history({trace})).length_ns, 5 + 10);
}

TEST(CriticalPath, message_whose_send_is_missing_takes_what_others_do) {
  auto traces = messages_seen({20, 70}, {8, 8});
  traces[0].events[0].pop_back();
  EXPECT_EQ(critical_path(test::history(traces)).length_ns, 20 + 1);

  traces[0].events[0].clear();  // then nothing says what of its time was waiting for the send
  EXPECT_EQ(critical_path(test::history(traces)).length_ns, 1);
}

TEST(CriticalPath, message_of_which_the_window_has_a_part_tells_no_time) {
  // The first message is sent before the last rank begins step 2: 3 ns of it are in the window.
  auto traces = messages_seen({20, 70}, {8, 8});
  for (RankTrace& trace : traces) {
    trace.steps = {.first = 2, .last = 4};
    trace.runs[0].first_step = 2;
  }
  traces[0].events[0][0].start_ns = 1;
  traces[1].events[0][0].start_ns = 27;   // its receive, with which rank 1 begins
  add(traces[0], {0, 0, {200, 202}, 1});  // so rank 1 is the first to end

  EXPECT_EQ(critical_path(test::history(traces)).length_ns, 70 + 1);
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

TEST(CriticalPath, goes_on_behind_runs_of_empty_graphs) {
  // As regrids that move no cells: a first run, one between two others, and two of them.
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({}, {}, {}), {0, 5});
  trace.graphs.push_back(test::graph({{}}, {"a"}, {}));
  std::uint64_t ordinal = 0;
  const auto add_run = [&](std::uint32_t graph, const Span& span) {
    trace.runs.push_back(
        {.ordinal = ++ordinal, .graph = graph, .start_ns = span.start_ns, .end_ns = span.end_ns});
    const auto run = static_cast<std::uint32_t>(trace.runs.size() - 1);
    if (graph == 1) add(trace, {.worker = 0, .node = 0, .span = span, .run = run});
  };
  add_run(1, {10, 30});
  add_run(0, {35, 40});
  add_run(1, {50, 70});
  add_run(0, {71, 72});
  add_run(0, {73, 74});
  add_run(1, {75, 80});
  add_run(0, {90, 95});

  const CriticalPath path = critical_path(test::history({trace}));

  EXPECT_EQ(path.length_ns, 80 - 10);
  EXPECT_EQ(path.shares, (Shares{{"a", 45, 3}, {"between runs", 25, 2}}));
}

}  // namespace
}  // namespace thalweg::trace
