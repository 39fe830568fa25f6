// SPDX-License-Identifier: MIT
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/trace/sink_list.hpp>
#include <thalweg/trace/sink_memory.hpp>

namespace thalweg::trace {
namespace {

/// A run of a graph of one task, of which an event is recorded.
void run_once(Sink& sink, std::uint64_t step) {
  if (!sink.begin_run({.start_ns = 10, .n_replays = 1, .first_step = step})) return;
  sink.describe({.names = {"task"}, .nodes = {{}}});
  sink.record({.start_ns = 11, .end_ns = 12, .node = 0, .worker = 0});
  sink.end_run(13);
}

TEST(SinkList, tells_each_sink_of_the_runs_that_it_wants) {
  MemorySink all({.n_events_per_worker = 10});
  MemorySink second({.n_events_per_worker = 10, .steps = {2, 3}});
  SinkList both{&all, nullptr, &second};
  for (std::uint64_t step = 1; step <= 3; ++step) run_once(both, step);
  EXPECT_EQ(all.events(0).size(), 3U);
  EXPECT_EQ(second.events(0).size(), 1U);
  const RankTrace trace = second.trace(Rank(0), 1, "");
  ASSERT_EQ(trace.runs.size(), 1U);
  EXPECT_EQ(trace.runs[0].first_step, 2U);
  EXPECT_EQ(trace.runs[0].end_ns, 13);
  EXPECT_EQ(trace.graphs, all.trace(Rank(0), 1, "").graphs);
}

TEST(SinkList, wants_no_run_that_none_of_its_sinks_wants) {
  MemorySink second({.n_events_per_worker = 10, .steps = {2, 3}});
  SinkList list{&second};
  EXPECT_FALSE(list.begin_run({.n_replays = 1, .first_step = 5}));
  SinkList empty{nullptr};
  EXPECT_FALSE(empty.begin_run({.n_replays = 1}));
}

}  // namespace
}  // namespace thalweg::trace
