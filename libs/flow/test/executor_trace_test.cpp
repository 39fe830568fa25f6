// SPDX-License-Identifier: MIT
// What an executor writes to a sink while it runs.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <thalweg/flow/executor.hpp>
#include <thalweg/trace/sink_memory.hpp>

#include "random_program.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

TEST(ExecutorTrace, of_more_workers_than_the_sink_has_buffers_is_refused) {
  trace::MemorySink sink({.n_events_per_worker = 100});
  SingleRank machine({.n_workers = 3, .sink = &sink});
  Graph graph = capture(Recorder(Rank(0), 1), Model::dataflow);

  for (int again = 0; again < 2; ++again) try {
      (void)machine.executor.run(graph, 1);
      ADD_FAILURE() << "it ran";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("3 workers is traced into buffers of 1"),
                std::string::npos)
          << error.what();
    }
}

TEST(ExecutorTrace, and_accounting_agree_to_the_nanosecond) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 2u, 4u}) {
      trace::MemorySink sink({.n_workers = n_workers, .n_events_per_worker = 10'000});
      SingleRank machine({.n_workers = n_workers, .sink = &sink}, 2);
      const RandomProgram program({.seed = 5});
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      Graph graph = capture(std::move(recorder), model);

      ASSERT_TRUE(machine.executor.run(graph, 20));

      const trace::RankTrace trace = sink.trace(Rank(0), 1, "host");
      const auto accounting = machine.executor.accounting();
      for (std::uint32_t w = 0; w < n_workers; ++w) {
        std::int64_t work_ns = 0, idle_ns = 0;
        std::uint64_t n_tasks = 0;
        for (const trace::Event& e : trace.events[w]) {
          if (e.kind == trace::EventKind::idle) idle_ns += e.end_ns - e.start_ns;
          if (e.kind != trace::EventKind::task) continue;
          work_ns += e.end_ns - e.start_ns;
          ++n_tasks;
        }
        EXPECT_EQ(work_ns, accounting[w].work_ns);
        EXPECT_EQ(idle_ns, accounting[w].idle_ns);
        EXPECT_EQ(n_tasks, accounting[w].n_tasks);
        EXPECT_EQ(work_ns + idle_ns + accounting[w].overhead_ns,
                  trace.runs[0].end_ns - trace.runs[0].start_ns);
      }
    }
}

TEST(ExecutorTrace, says_what_waited_for_what) {
  trace::MemorySink sink({.n_events_per_worker = 100});
  SingleRank machine({.depth = 3, .sink = &sink});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  auto y = recorder.data<int>("y", 1);
  recorder.task("write", uses(out(x)), [](auto) {});
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  recorder.phase("second", PhaseKind::level);
  recorder.task("decide", uses(in(y)), [](auto) {}, {.controls_termination = true});
  Graph graph = capture(std::move(recorder), Model::phase);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  const trace::RankTrace trace = sink.trace(Rank(0), 1, "host");
  ASSERT_EQ(trace.graphs.size(), 1u);
  const trace::GraphInfo& info = trace.graphs[0];
  EXPECT_EQ(info.model, "phase");
  EXPECT_EQ(info.depth, 1u);  // replays do not overlap across barriers
  ASSERT_EQ(info.nodes.size(), 5u);
  EXPECT_EQ(info.nodes[1].kind, trace::NodeKind::send);
  EXPECT_EQ(info.nodes[2].kind, trace::NodeKind::recv);
  EXPECT_EQ(info.nodes[4].kind, trace::NodeKind::barrier);
  EXPECT_EQ(info.nodes[1].tag, info.nodes[2].tag);
  EXPECT_TRUE(info.nodes[3].controls_termination);
  EXPECT_EQ(info.edges, (std::vector<trace::Edge>{{0, 1}, {1, 4}, {2, 4}, {4, 3}}));
}

TEST(ExecutorTrace, events_name_the_task_and_the_message) {
  trace::MemorySink sink({.n_events_per_worker = 100});
  SingleRank machine({.sink = &sink}, 2);
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1, 4);
  auto y = recorder.data<int>("y", 1);
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  recorder.task("use", uses(in(y)), [](auto) {}, {.level = 2, .block = 9});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 2, 7));

  const trace::RankTrace trace = sink.trace(Rank(0), 1, "host");
  std::multiset<std::string> names;
  for (const trace::Event& e : trace.events[0]) {
    EXPECT_LE(e.start_ns, e.end_ns);
    if (e.kind == trace::EventKind::idle) continue;
    names.insert(trace.name_of(e) + std::to_string(trace.step_of(e)));
    const bool is_task = e.kind == trace::EventKind::task;
    EXPECT_EQ(trace.node_of(e).block, is_task ? 9u : 0u);
    EXPECT_EQ(trace.node_of(e).level, is_task ? 2 : 0);
    EXPECT_EQ(trace.node_of(e).bytes, is_task ? 0u : sizeof(int));
  }
  EXPECT_EQ(names,
            (std::multiset<std::string>{"recv7", "recv8", "send7", "send8", "use7", "use8"}));
}

}  // namespace
}  // namespace thalweg::flow
