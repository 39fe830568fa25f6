// SPDX-License-Identifier: MIT
#include "trace_graph.hpp"

#include <string>

namespace thalweg::flow {
namespace {

trace::NodeKind kind_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::send:
      return trace::NodeKind::send;
    case NodeKind::recv:
      return trace::NodeKind::recv;
    case NodeKind::barrier:
      return trace::NodeKind::barrier;
    case NodeKind::task:
      break;
  }
  return trace::NodeKind::task;
}

}  // namespace

trace::GraphInfo describe(const Graph& graph, std::uint32_t depth) {
  trace::GraphInfo info{
      .model = std::string(to_string(graph.model())), .depth = depth, .names = graph.names()};
  info.nodes.reserve(graph.n_nodes());
  info.edges.reserve(graph.n_edges());
  info.wrap_edges.reserve(graph.n_wrap_edges());
  for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
    const Node& node = graph.node(TaskId(t));
    trace::NodeInfo& to =
        info.nodes.emplace_back(trace::NodeInfo{.name = node.name,
                                                .kind = kind_of(node.kind),
                                                .controls_termination = node.controls_termination,
                                                .level = node.level,
                                                .block = node.block});
    if (node.is_message()) {
      const Message& message = graph.message(node.message);
      to.peer = message.peer();
      to.tag = message.tag();
      to.bytes = message.n_bytes;
    }
    for (const std::uint32_t s : graph.successors(TaskId(t))) info.edges.push_back({t, s});
    for (const std::uint32_t s : graph.wrap_successors(TaskId(t)))
      info.wrap_edges.push_back({t, s});
  }
  return info;
}

trace::Sink* begin_trace(trace::Sink* sink, const Graph& graph, const trace::RunStart& run) {
  if (sink == nullptr || !sink->begin_run(run)) return nullptr;
  sink->describe(describe(graph, run.depth));
  return sink;
}

}  // namespace thalweg::flow
