// SPDX-License-Identifier: MIT
#include <thalweg/backends/capability.hpp>

#include <algorithm>
#include <string>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

using enum Support;

constexpr Capability table[] = {
    {Feature::tasks, "tasks ordered by accesses and explicit edges", yes, yes},
    {Feature::messages, "sends and receives", yes, yes},
    {Feature::four_models, "the barriers of all models", yes, yes},
    {Feature::overlapping_replays, "overlapping replays", yes, yes},
    {Feature::stopping, "a task that ends the run", yes, yes},
    {Feature::coroutines, "a body that waits in the middle (a coroutine)", no, no},
    {Feature::bound_requests, "requests bound to the end of a task", no, no},
    {Feature::other_nodes, "nodes other than tasks, sends and receives", no, no},
    {Feature::preferred_workers, "preferred workers", ignored, ignored},
    {Feature::priorities, "priorities", by_setting, yes},
    {Feature::accounting, "accounting", unasked, unasked},
    {Feature::traces, "traces", unasked, unasked},
    {Feature::pickers, "deterministic schedules", unasked, unasked},
    {Feature::watchdog, "the watchdog", unasked, unasked},
};

const Capability& capability(Feature feature) {
  const auto found = std::ranges::find(table, feature, &Capability::feature);
  THALWEG_EXPECT(found != std::end(table), "a feature that is not in the table");
  return *found;
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

std::span<const Capability> capabilities() {
  return table;
}

Feature needed_by(const flow::Node& node) {
  switch (node.kind) {
    case flow::NodeKind::task:
      if (node.is_coroutine) return Feature::coroutines;
      return node.invoke != nullptr ? Feature::tasks : Feature::other_nodes;
    case flow::NodeKind::send:
    case flow::NodeKind::recv:
      return Feature::messages;
    case flow::NodeKind::barrier:
      return Feature::four_models;
    default:
      return Feature::other_nodes;
  }
}

void require_supported(const flow::Node& node, std::string_view name, Runtime runtime) {
  const Capability& needed = capability(needed_by(node));
  if (needed.of(runtime) == no)
    throw Error("task '" + std::string(name) + "' needs " + std::string(needed.name) + " (" +
                std::string(to_string(runtime)) +
                " cannot do that); run the graph with flow::Executor");
}

void require_supported(const flow::Graph& graph, Runtime runtime) {
  for (flow::TaskId t(0); t() < graph.n_nodes(); t = flow::TaskId(t() + 1))
    require_supported(graph.node(t), graph.name(t), runtime);
}

}  // namespace thalweg::backends
