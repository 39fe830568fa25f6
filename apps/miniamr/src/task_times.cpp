// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/task_times.hpp>

namespace thalweg::miniamr {

bool TaskTimes::begin_run(const trace::RunStart& run) {
  run_ = run;
  return counts_;
}

void TaskTimes::describe(trace::GraphInfo graph) {
  std::vector<Kind> of_names;
  for (const auto& name : graph.names)
    of_names.push_back(name == "stencil"                          ? Kind::compute
                       : name == "validate" || name == "checksum" ? Kind::checksum
                                                                  : Kind::other);
  kinds_.clear();
  for (const trace::NodeInfo& node : graph.nodes)
    kinds_.push_back(node.kind == trace::NodeKind::task ? of_names[node.name] : Kind::other);
}

void TaskTimes::record(const trace::Event& event) {
  if (event.kind != trace::EventKind::task) return;
  Sums& sums = workers_[event.worker];
  const std::int64_t took_ns = event.end_ns - event.start_ns;
  if (kinds_[event.node] == Kind::compute) sums.compute_ns += took_ns;
  if (kinds_[event.node] == Kind::checksum) sums.checksum_ns += took_ns;
}

void TaskTimes::end_run(std::int64_t end_ns) {
  runs_ns_ += end_ns - run_.start_ns;
}

double TaskTimes::mean_s(std::int64_t Sums::* member) const {
  std::int64_t sum = 0;
  for (const Sums& worker : workers_) sum += worker.*member;
  return 1e-9 * static_cast<double>(sum) / static_cast<double>(workers_.size());
}

}  // namespace thalweg::miniamr
