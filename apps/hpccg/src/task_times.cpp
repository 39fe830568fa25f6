// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/task_times.hpp>

#include <string_view>

#include <thalweg/hpccg/solver/task_names.hpp>

namespace thalweg::hpccg {
namespace {

Part part_of(std::string_view name) {
  namespace names = task_names;
  if (name == names::product) return Part::sparsemv;
  if (name == names::direction || name == names::update_x || name == names::update_r ||
      name == names::update_all)
    return Part::waxpby;
  if (name == names::reduce || name == names::residual || name == names::step_length)
    return Part::ddot;
  return name == names::pack ? Part::exchange : Part::other;
}

}  // namespace

void TaskTimes::describe(trace::GraphInfo graph) {
  of_nodes_.clear();
  for (const trace::NodeInfo& node : graph.nodes)
    of_nodes_.push_back(part_of(graph.names[node.name]));
}

void TaskTimes::record(const trace::Event& event) noexcept {
  if (event.kind == trace::EventKind::task)
    workers_[event.worker].ns[static_cast<std::size_t>(of_nodes_[event.node])] +=
        event.end_ns - event.start_ns;
}

double TaskTimes::seconds(Part part) const {
  std::int64_t total = 0;
  for (const Sums& worker : workers_) total += worker.ns[static_cast<std::size_t>(part)];
  return 1e-9 * static_cast<double>(total) / static_cast<double>(workers_.size());
}

}  // namespace thalweg::hpccg
