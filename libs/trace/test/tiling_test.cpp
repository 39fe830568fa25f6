// SPDX-License-Identifier: MIT
#include <thalweg/trace/tiling.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

using test::add;
using test::add_idle;
using enum IdleCause;

/// The idle times of a worker, those that are not 0.
std::vector<std::pair<IdleCause, std::int64_t>> idle_of(const WorkerTiling& worker) {
  std::vector<std::pair<IdleCause, std::int64_t>> all;
  for (std::size_t c = 0; c < n_idle_causes; ++c)
    if (worker.idle_ns[c] != 0) all.emplace_back(static_cast<IdleCause>(c), worker.idle_ns[c]);
  return all;
}
using Idle = std::vector<std::pair<IdleCause, std::int64_t>>;

TEST(IdleCauses, have_keys_without_spaces) {
  EXPECT_EQ(key_of(message_not_sent), "message_not_yet_sent");
  EXPECT_EQ(key_of(barrier), "barrier");
}

TEST(Tile, waiting_for_a_message_is_split_where_it_was_sent) {
  const auto tiling = tile(test::history(test::make_and_use()));

  ASSERT_EQ(tiling.size(), 2u);
  EXPECT_EQ(tiling[0].rank, Rank(0));
  EXPECT_EQ(tiling[0].work_ns, 30);
  EXPECT_EQ(tiling[0].overhead_ns, 5);
  EXPECT_EQ(idle_of(tiling[0]), (Idle{{no_task, 65}}));
  EXPECT_EQ(tiling[1].rank, Rank(1));
  EXPECT_EQ(tiling[1].work_ns, 30);
  EXPECT_EQ(tiling[1].overhead_ns, 5);
  // Posted at 5, sent at 32, there at 60.
  EXPECT_EQ(
      idle_of(tiling[1]),
      (Idle{{message_in_flight, 28}, {message_not_sent, 27}, {producer_queued, 5}, {no_task, 5}}));
  for (const WorkerTiling& worker : tiling) EXPECT_EQ(worker.total_ns(), 100);
}

TEST(Tile, message_that_was_sent_before_its_receive_is_in_flight_from_there) {
  auto traces = test::make_and_use();
  traces[1].events[0][0].start_ns = 50;  // the receive, posted late

  const auto tiling = tile(test::history(traces));

  EXPECT_EQ(idle_of(tiling[1]),
            (Idle{{message_in_flight, 10}, {producer_queued, 50}, {no_task, 5}}));
}

TEST(Tile, message_of_a_rank_that_was_not_traced_is_unknown) {
  const auto tiling = tile(test::history({test::make_and_use()[1]}));

  EXPECT_EQ(idle_of(tiling[0]), (Idle{{producer_queued, 5}, {no_task, 5}, {unknown, 55}}));
}

TEST(Tile, waiting_for_another_worker_is_split_where_its_task_started) {
  const auto tiling = tile(test::history({test::one_after_another()}));

  EXPECT_EQ(tiling[0].overhead_ns, 10);
  EXPECT_EQ(idle_of(tiling[0]), (Idle{{no_task, 50}}));
  EXPECT_EQ(tiling[1].worker, 1u);
  EXPECT_EQ(tiling[1].overhead_ns, 3);
  // a was ready at 0 and started at 10; b was ready at 50 and found at 52.
  EXPECT_EQ(idle_of(tiling[1]),
            (Idle{{producer_running, 40}, {producer_queued, 12}, {no_task, 20}}));
  EXPECT_EQ(tiling[1].total_ns(), 100);
}

TEST(Tile, waiting_at_a_barrier) {
  auto forkjoin = test::graph({{}, {}, {.kind = NodeKind::barrier}, {}, {}},
                              {"a", "b", "barrier", "c", "d"}, {{0, 2}, {1, 2}, {2, 3}, {2, 4}});
  RankTrace trace = test::rank_trace(0, 1, 2, forkjoin, {0, 80});
  add(trace, {0, 0, {0, 20}});
  add_idle(trace, 0, {20, 60});
  add(trace, {0, 3, {60, 80}});
  add(trace, {1, 1, {0, 60}});
  add(trace, {1, 4, {60, 80}});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(idle_of(tiling[0]), (Idle{{barrier, 40}}));
  EXPECT_EQ(idle_of(tiling[1]), Idle{});
  EXPECT_EQ(tiling[1].work_ns, 80);
}

/// Replays 0 and 1 of one task, on two workers.
RankTrace two_replays(const GraphInfo& graph) {
  RankTrace trace = test::rank_trace(0, 1, 2, graph, {0, 100});
  add(trace, {0, 0, {0, 50}, 0});
  add_idle(trace, 0, {50, 100});
  add_idle(trace, 1, {0, 50});
  add(trace, {1, 0, {50, 100}, 1});
  return trace;
}

TEST(Tile, replay_that_may_not_start_yet_is_a_barrier) {
  const auto tiling = tile(test::history({two_replays(test::graph({{}}, {"a"}, {}))}));

  EXPECT_EQ(idle_of(tiling[1]), (Idle{{barrier, 50}}));
}

TEST(Tile, data_of_the_replay_before_are_a_producer) {
  const auto tiling = tile(test::history({two_replays(test::graph({{}}, {"a"}, {}, {{0, 0}}))}));

  EXPECT_EQ(idle_of(tiling[1]), (Idle{{producer_running, 50}}));
}

TEST(Tile, task_that_decides_about_the_next_replay_is_a_producer) {
  auto graph = test::graph({{.controls_termination = true}}, {"a"}, {});
  graph.depth = 2;

  const auto tiling = tile(test::history({two_replays(graph)}));

  EXPECT_EQ(idle_of(tiling[1]), (Idle{{producer_running, 50}}));
}

TEST(Tile, data_that_are_ready_when_a_replay_is_complete_are_what_was_waited_for) {
  // Replay 2 of a waits for a, which decides on it, of replay 1, and for replay 0 to be complete:
  // both end at 60.
  auto graph = test::graph({{.controls_termination = true}, {}}, {"a", "b"}, {});
  graph.depth = 2;
  RankTrace trace = test::rank_trace(0, 1, 3, graph, {0, 90});
  add(trace, {0, 1, {0, 60}, 0});
  add(trace, {0, 1, {60, 75}, 1});
  add(trace, {0, 1, {75, 90}, 2});
  add(trace, {1, 0, {0, 30}, 0});
  add(trace, {1, 0, {30, 60}, 1});
  add_idle(trace, 1, {60, 90});
  add_idle(trace, 2, {0, 60});
  add(trace, {2, 0, {60, 90}, 2});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(idle_of(tiling[2]), (Idle{{producer_running, 60}}));
}

TEST(Tile, send_that_must_complete_before_its_data_change_is_in_flight) {
  RankTrace trace = test::rank_trace(
      0, 2, 1, test::graph({{.kind = NodeKind::send, .peer = 1}, {}}, {"send", "change"}, {{0, 1}}),
      {0, 50});
  add(trace, {0, 0, {10, 30}});
  add_idle(trace, 0, {0, 30});
  add(trace, {0, 1, {30, 50}});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(idle_of(tiling[0]), (Idle{{message_in_flight, 20}, {producer_queued, 10}}));
}

TEST(Tile, producers_are_followed_back_over_ranks_and_workers) {
  // c on worker 1 waits for b of worker 0, which waited for a message.
  RankTrace trace = test::rank_trace(1, 2, 2,
                                     test::graph({{.kind = NodeKind::recv, .peer = 0}, {}, {}},
                                                 {"recv", "b", "c"}, {{0, 1}, {1, 2}}),
                                     {0, 100});
  add_idle(trace, 0, {0, 60});
  add(trace, {0, 0, {0, 60}});
  add(trace, {0, 1, {62, 92}});
  add_idle(trace, 1, {0, 92});
  add(trace, {1, 2, {92, 100}});

  const auto tiling = tile(test::history({test::make_and_use()[0], trace}));

  EXPECT_EQ(idle_of(tiling[2]), (Idle{{message_in_flight, 28},
                                      {message_not_sent, 32},
                                      {producer_running, 30},
                                      {producer_queued, 2}}));
}

TEST(Tile, what_a_suspended_task_waits_for_is_unknown) {
  // a runs from 10 to 20 and, resumed by the other worker, from 40 to 50; then b.
  RankTrace trace = test::rank_trace(0, 1, 2, test::graph({{}, {}}, {"a", "b"}, {{0, 1}}), {0, 90});
  add(trace, {0, 0, {10, 20}});
  add_idle(trace, 0, {20, 60});
  add(trace, {0, 1, {60, 90}});
  add_idle(trace, 1, {0, 40});
  add(trace, {1, 0, {40, 50}});
  add_idle(trace, 1, {50, 90});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(tiling[0].work_ns, 40);
  EXPECT_EQ(idle_of(tiling[0]),
            (Idle{{producer_running, 10}, {producer_queued, 10}, {unknown, 20}}));
  EXPECT_EQ(idle_of(tiling[1]),
            (Idle{{producer_running, 10}, {producer_queued, 10}, {no_task, 40}, {unknown, 20}}));
}

TEST(Tile, time_between_runs_is_neither_work_nor_idle) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 30});
  trace.runs.push_back({.ordinal = 1, .start_ns = 70, .end_ns = 100});
  add(trace, {0, 0, {0, 30}});
  add_idle(trace, 0, {70, 80}, 1);
  add(trace, {.worker = 0, .node = 0, .span = {80, 100}, .run = 1});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(tiling[0].work_ns, 50);
  EXPECT_EQ(tiling[0].outside_ns, 40);
  EXPECT_EQ(tiling[0].overhead_ns, 0);
  // Its task was ready when the run began, so nobody had started it.
  EXPECT_EQ(idle_of(tiling[0]), (Idle{{producer_queued, 10}}));
}

TEST(Tile, tasks_and_idle_times_are_cut_off_where_the_window_ends) {
  // Steps 1 to 3 of a task each on two workers; the window is step 2, 30 to 60.
  RankTrace trace = test::rank_trace(0, 1, 2, test::graph({{}, {}}, {"a", "b"}, {}), {0, 90});
  trace.steps = {.first = 2, .last = 3};
  trace.runs[0].first_step = 1;
  for (const std::uint64_t r : {0u, 1u, 2u})
    add(trace, {0, 0, {std::int64_t(30 * r), std::int64_t(30 * r + 30)}, r});
  add_idle(trace, 1, {0, 20});
  add(trace, {1, 1, {20, 40}, 0});
  add_idle(trace, 1, {40, 90});

  const auto tiling = tile(test::history({trace}));

  EXPECT_EQ(tiling[0].work_ns, 30);
  EXPECT_EQ(tiling[1].work_ns, 10);
  EXPECT_EQ(idle_of(tiling[1]), (Idle{{no_task, 20}}));
  EXPECT_EQ(tiling[1].total_ns(), 30);
}

TEST(IdleCause, has_a_name) {
  EXPECT_EQ(to_string(message_not_sent), "message not yet sent");
  EXPECT_EQ(to_string(unknown), "not traced");
}

}  // namespace
}  // namespace thalweg::trace
