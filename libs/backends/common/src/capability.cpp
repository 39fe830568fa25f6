// SPDX-License-Identifier: MIT
#include <thalweg/backends/capability.hpp>

#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

/// What a node needs that only flow's own executor has; "" where others can run it.
std::string_view what_is_missing(const flow::Node& node) {
  constexpr std::string_view other_node = "nodes other than tasks, sends and receives";
  switch (node.kind) {
    case flow::NodeKind::task:
      if (node.is_coroutine) return "a body that waits in the middle (a coroutine)";
      return node.invoke != nullptr ? "" : other_node;
    case flow::NodeKind::send:
    case flow::NodeKind::recv:
    case flow::NodeKind::barrier:
      return "";
  }
  return other_node;  // a kind that came after these
}

}  // namespace

std::string_view to_string(Runtime runtime) {
  switch (runtime) {
    case Runtime::libgomp:
      return "OpenMP (libgomp)";
    case Runtime::libomp:
      return "OpenMP (libomp)";
    default:
      return "StarPU";
  }
}

void require_supported(const flow::Node& node, std::string_view name, Runtime runtime) {
  const std::string_view needed = what_is_missing(node);
  if (!needed.empty())
    throw Error("task '" + std::string(name) + "' needs " + std::string(needed) + " (" +
                std::string(to_string(runtime)) +
                " cannot do that); run the graph with flow::Executor");
}

void require_supported(const flow::Graph& graph, Runtime runtime) {
  for (flow::TaskId t(0); t() < graph.n_nodes(); t = flow::TaskId(t() + 1))
    require_supported(graph.node(t), graph.name(t), runtime);
}

}  // namespace thalweg::backends
