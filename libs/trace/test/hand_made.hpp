// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/trace/graph_info.hpp>
#include <thalweg/trace/history.hpp>
#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace::test {

/// A graph with a name for each node, and so many more as the kinds of nodes say.
inline GraphInfo graph(std::vector<NodeInfo> nodes, std::vector<std::string> names,
                       std::vector<Edge> edges, std::vector<Edge> wrap_edges = {}) {
  for (std::uint32_t n = 0; n < nodes.size(); ++n) nodes[n].name = n;
  return {.model = "dataflow",
          .depth = 1,
          .names = std::move(names),
          .nodes = std::move(nodes),
          .edges = std::move(edges),
          .wrap_edges = std::move(wrap_edges)};
}

/// A rank with one run of one graph, and no events yet.
inline RankTrace rank_trace(std::uint32_t rank, std::uint32_t n_ranks, std::uint32_t n_workers,
                            GraphInfo graph, const Span& run) {
  RankTrace trace{.rank = Rank(rank), .n_ranks = n_ranks, .host = "here"};
  trace.graphs.push_back(std::move(graph));
  trace.runs.push_back({.start_ns = run.start_ns, .end_ns = run.end_ns});
  trace.events.resize(n_workers);
  return trace;
}

/// What ran where and when; the kind is that of the node.
struct Ran {
  std::uint32_t worker;
  std::uint32_t node;
  Span span;
  std::uint64_t replay = 0;
  std::uint32_t run = 0;
};
inline void add(RankTrace& trace, const Ran& ran) {
  const RunInfo& run = trace.runs[ran.run];
  trace.events[ran.worker].push_back(
      {.start_ns = ran.span.start_ns,
       .end_ns = ran.span.end_ns,
       .replay = ran.replay,
       .node = ran.node,
       .run = ran.run,
       .worker = static_cast<std::uint16_t>(ran.worker),
       .kind = static_cast<EventKind>(trace.graphs[run.graph].nodes[ran.node].kind)});
}
inline void add_idle(RankTrace& trace, std::uint32_t worker, const Span& span,
                     std::uint32_t run = 0) {
  trace.events[worker].push_back({.start_ns = span.start_ns,
                                  .end_ns = span.end_ns,
                                  .run = run,
                                  .worker = static_cast<std::uint16_t>(worker),
                                  .kind = EventKind::idle});
}

/// Rank 0 makes something and sends it to rank 1, which uses it; a worker each, 100 ns.
///
///     rank 0  make 0-30, overhead -35, idle -100; its send is posted at 32 and complete at 40
///     rank 1  idle 0-60, overhead -62, use -92, overhead -95, idle -100; receive posted at 5
inline std::vector<RankTrace> make_and_use() {
  RankTrace maker = rank_trace(
      0, 2, 1,
      graph({{}, {.kind = NodeKind::send, .peer = 1, .bytes = 8}}, {"make", "send"}, {{0, 1}}),
      {0, 100});
  add(maker, {0, 0, {0, 30}});
  add(maker, {0, 1, {32, 40}});
  add_idle(maker, 0, {35, 100});
  RankTrace user = rank_trace(
      1, 2, 1,
      graph({{.kind = NodeKind::recv, .peer = 0, .bytes = 8}, {}}, {"recv", "use"}, {{0, 1}}),
      {0, 100});
  add(user, {0, 0, {5, 60}});
  add_idle(user, 0, {0, 60});
  add(user, {0, 1, {62, 92}});
  add_idle(user, 0, {95, 100});
  return {maker, user};
}

/// One rank with two workers: b on worker 1 needs a of worker 0; 100 ns.
///
///     worker 0  overhead 0-10, a -50, idle -100
///     worker 1  idle 0-52, overhead -55, b -80, idle -100
inline RankTrace one_after_another() {
  RankTrace trace = rank_trace(0, 1, 2, graph({{}, {}}, {"a", "b"}, {{0, 1}}), {0, 100});
  add(trace, {0, 0, {10, 50}});
  add_idle(trace, 0, {50, 100});
  add_idle(trace, 1, {0, 52});
  add(trace, {1, 1, {55, 80}});
  add_idle(trace, 1, {80, 100});
  return trace;
}

inline History history(std::vector<RankTrace> traces) {
  auto made = History::of(std::move(traces));
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(*made);
}

}  // namespace thalweg::trace::test
