// SPDX-License-Identifier: MIT
#include <thalweg/trace/sink_memory.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/event.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::trace {
namespace {

std::vector<std::uint64_t> replays(const MemorySink& sink) {
  std::vector<std::uint64_t> all;
  for (const Event& e : sink.events(0))
    if (e.kind != EventKind::idle) all.push_back(e.replay);
  return all;
}

TEST(MemorySink, events_stay_with_their_worker_in_order) {
  MemorySink sink({.n_workers = 2, .n_events_per_worker = 4});
  ASSERT_TRUE(sink.begin_run({.n_replays = 1}));
  sink.describe({});

  sink.record({.start_ns = 1, .end_ns = 2, .worker = 1});
  sink.record({.start_ns = 3, .end_ns = 4, .worker = 1});

  EXPECT_TRUE(sink.events(0).empty());
  ASSERT_EQ(sink.events(1).size(), 2u);
  EXPECT_EQ(sink.events(1)[1].start_ns, 3);
}

TEST(MemorySink, has_no_run_of_more_workers_than_buffers) {
  MemorySink sink({.n_workers = 2, .n_events_per_worker = 4});
  EXPECT_TRUE(sink.begin_run({.n_replays = 1, .n_workers = 2}));
  EXPECT_THROW((void)sink.begin_run({.n_replays = 1, .n_workers = 3}), Error);
}

TEST(MemorySink, full_buffer_counts_what_it_drops) {
  MemorySink sink({.n_events_per_worker = 2});
  ASSERT_TRUE(sink.begin_run({.n_replays = 1}));
  sink.describe({});

  for (int i = 0; i < 5; ++i) sink.record({.start_ns = i});

  EXPECT_EQ(sink.events(0).size(), 2u);
  EXPECT_EQ(sink.n_dropped(), 3u);
  EXPECT_EQ(sink.trace(Rank(0), 1, "").n_dropped, 3u);
}

TEST(MemorySink, has_room_for_what_a_run_may_have_and_no_more) {
  MemorySink sink({.n_events_per_worker = 1'000'000});
  const GraphInfo graph{.nodes = std::vector<NodeInfo>(100)};
  ASSERT_TRUE(sink.begin_run({.n_replays = 10}));
  sink.describe(graph);
  for (int i = 0; i < 13'000; ++i) sink.record({.start_ns = i});  // tasks, idle time, and some more
  EXPECT_EQ(sink.n_dropped(), 0U);
  EXPECT_LT(sink.trace(Rank(0), 1, "").events.at(0).size(), 14'000U);
  ASSERT_TRUE(sink.begin_run({.n_replays = ~std::uint64_t{0}}));
  sink.describe(graph);
  for (int i = 0; i < 1'000'000; ++i) sink.record({.start_ns = i});
  EXPECT_EQ(sink.n_dropped(), 13'000U);
}

TEST(MemorySink, runs_are_numbered_wanted_or_not_and_graphs_kept_once) {
  MemorySink sink({.n_events_per_worker = 8, .steps = {.first = 3, .last = 7}});
  const GraphInfo graph{.model = "bulk"};

  EXPECT_FALSE(sink.begin_run({.n_replays = 2, .first_step = 1}));
  for (const std::uint64_t first : {3u, 5u}) {
    ASSERT_TRUE(sink.begin_run({.start_ns = 10, .n_replays = 2, .first_step = first}));
    sink.describe(graph);
    sink.record({});
    sink.end_run(20);
  }
  EXPECT_FALSE(sink.begin_run({.n_replays = 2, .first_step = 7}));

  const RankTrace trace = sink.trace(Rank(2), 3, "here");
  EXPECT_EQ(trace.rank, Rank(2));
  EXPECT_EQ(trace.n_ranks, 3u);
  EXPECT_EQ(trace.host, "here");
  ASSERT_EQ(trace.graphs.size(), 1u);
  ASSERT_EQ(trace.runs.size(), 2u);
  EXPECT_EQ(trace.runs[0],
            (RunInfo{.ordinal = 1, .graph = 0, .start_ns = 10, .end_ns = 20, .first_step = 3}));
  EXPECT_EQ(trace.runs[1].ordinal, 2u);
  ASSERT_EQ(trace.events[0].size(), 2u);
  EXPECT_EQ(trace.events[0][1].run, 1u);
  EXPECT_EQ(trace.step_of(trace.events[0][1]), 5u);
}

TEST(MemorySink, window_keeps_steps_that_can_be_in_flight_with_its_own) {
  MemorySink sink({.n_events_per_worker = 100, .steps = {.first = 10, .last = 12}});
  ASSERT_TRUE(sink.begin_run({.n_replays = 100, .depth = 2, .first_step = 1}));
  sink.describe({});

  for (std::uint64_t r = 0; r < 30; ++r) sink.record({.replay = r});

  EXPECT_EQ(replays(sink), (std::vector<std::uint64_t>{7, 8, 9, 10, 11, 12}));  // steps 8 .. 13
}

TEST(MemorySink, idle_time_is_kept_where_the_window_is_open) {
  MemorySink sink({.n_workers = 2, .n_events_per_worker = 100, .steps = {.first = 3, .last = 4}});
  ASSERT_TRUE(sink.begin_run({.n_replays = 9, .depth = 1, .first_step = 1}));
  sink.describe({});
  const auto idle = [&](std::int64_t start_ns, std::int64_t end_ns) {
    sink.record({.start_ns = start_ns, .end_ns = end_ns, .worker = 1, .kind = EventKind::idle});
  };

  sink.record({.start_ns = 100, .end_ns = 200, .replay = 0});
  idle(100, 210);  // long over
  sink.record({.start_ns = 300, .end_ns = 400, .replay = 1});
  idle(220, 410);  // into the step before the window
  for (std::uint64_t r = 2; r < 9; ++r)
    sink.record(
        {.start_ns = std::int64_t(200 * r), .end_ns = std::int64_t(200 * r + 1), .replay = r});
  idle(420, 1500);   // all through the window
  idle(1600, 1700);  // after it

  ASSERT_EQ(sink.events(1).size(), 2u);
  EXPECT_EQ(sink.events(1)[0].end_ns, 410);
  EXPECT_EQ(sink.events(1)[1].end_ns, 1500);
}

TEST(MemorySink, idle_time_before_any_event_is_kept) {
  MemorySink sink({.n_events_per_worker = 9, .steps = {.first = 3, .last = 4}});
  ASSERT_TRUE(sink.begin_run({.n_replays = 9, .first_step = 1}));
  sink.describe({});

  sink.record({.start_ns = 100, .end_ns = 200, .kind = EventKind::idle});

  EXPECT_EQ(sink.events(0).size(), 1u);
}

TEST(MemorySink, run_without_steps_is_wanted_between_steps_of_the_window) {
  const auto wanted_after = [](std::uint64_t step) {
    MemorySink sink({.steps = {.first = 3, .last = 6}});
    sink.begin_run({.n_replays = step, .first_step = 1});
    return sink.begin_run({.n_replays = 1});
  };
  EXPECT_FALSE(wanted_after(2));
  EXPECT_TRUE(wanted_after(3));
  EXPECT_TRUE(wanted_after(4));
  EXPECT_FALSE(wanted_after(5));
  MemorySink everything({});
  EXPECT_TRUE(everything.begin_run({.n_replays = 1}));
}

}  // namespace
}  // namespace thalweg::trace
