// SPDX-License-Identifier: MIT
#include <thalweg/flow/placement.hpp>

#include <algorithm>
#include <span>

#include <thalweg/core/contract.hpp>

namespace thalweg::flow {
namespace {

/// Tasks recorded one after another that share an owner, where there are no phases.
constexpr std::uint32_t n_tasks_in_sequence = 8;

}  // namespace

std::vector<std::uint32_t> node_owners(const Graph& graph, std::uint32_t n_workers) {
  THALWEG_EXPECT(n_workers > 0, "nobody can own a node");
  std::vector<std::uint32_t> owners(graph.n_nodes(), 0);
  if (n_workers == 1) return owners;
  for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
    const Node& node = graph.node(TaskId(t));
    if (node.preferred_worker) {
      owners[t] = *node.preferred_worker % n_workers;
    } else if (graph.n_phases() > 1) {
      // Equal parts of each phase: phases that go over the same blocks find them where they were.
      const Graph::Position at = graph.position(TaskId(t));
      owners[t] = static_cast<std::uint32_t>(std::uint64_t{at.index} * n_workers / at.n_tasks);
    } else {
      owners[t] = t / n_tasks_in_sequence % n_workers;
    }
  }
  const bool one_communicates = graph.model() == Model::bulk || graph.model() == Model::forkjoin;
  for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
    const std::span<const std::uint32_t> after = graph.successors(TaskId(t));
    for (const std::uint32_t s : after)
      if (graph.node(TaskId(s)).kind == NodeKind::send)
        owners[s] = one_communicates ? 0 : owners[t];
    if (graph.node(TaskId(t)).kind == NodeKind::recv && !after.empty())
      owners[t] = one_communicates ? 0 : owners[after.back()];
  }
  return owners;
}

PriorityClasses priority_classes(const Graph& graph) {
  PriorityClasses classes{.of_node = std::vector<std::uint32_t>(graph.n_nodes(), 0)};
  std::vector<int> priorities;
  priorities.reserve(graph.n_nodes());
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::task) priorities.push_back(node.priority);
  std::ranges::sort(priorities);
  priorities.erase(std::ranges::unique(priorities).begin(), priorities.end());
  if (priorities.size() <= 1) return classes;
  const auto class_of = [&](int priority) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(priorities, priority) -
                                      priorities.begin());
  };
  classes.n = static_cast<std::uint32_t>(priorities.size());
  classes.base = std::ranges::binary_search(priorities, 0) ? class_of(0) : 0;
  for (std::uint32_t t = 0; t < graph.n_nodes(); ++t)
    if (const Node& node = graph.node(TaskId(t)); node.kind == NodeKind::task)
      classes.of_node[t] = class_of(node.priority);
  return classes;
}

}  // namespace thalweg::flow
