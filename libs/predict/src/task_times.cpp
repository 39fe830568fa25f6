// SPDX-License-Identifier: MIT
#include <thalweg/predict/task_times.hpp>

#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>

namespace thalweg::predict {

void TimeFit::add(double size, double ns) {
  n += 1;
  sum_size += size;
  sum_ns += ns;
  sum_size2 += size * size;
  sum_size_ns += size * ns;
}

double TimeFit::at(double size) const {
  const double mean = sum_ns / n;
  const double spread = sum_size2 - sum_size * sum_size / n;
  if (spread <= 1e-9 * sum_size2) return mean;
  const double slope = (sum_size_ns - sum_size * mean) / spread;
  return slope <= 0 ? mean : std::max(0.0, mean + slope * (size - sum_size / n));
}

void TaskTimes::add(std::string_view name, double size, double ns) {
  auto it = fits_.find(name);
  if (it == fits_.end()) it = fits_.emplace(std::string(name), TimeFit{}).first;
  it->second.add(size, ns);
}

double TaskTimes::at(std::string_view name, double size) const {
  const auto it = fits_.find(name);
  THALWEG_EXPECT(it != fits_.end(), "no task of this name was measured");
  return it->second.at(size);
}

std::vector<double> task_sizes(const trace::GraphInfo& graph) {
  std::vector<double> sizes(graph.nodes.size(), 0);
  for (const trace::Edge& e : graph.edges) {
    const trace::NodeInfo& from = graph.nodes[e.from];
    const trace::NodeInfo& to = graph.nodes[e.to];
    if (from.kind == trace::NodeKind::recv) sizes[e.to] += static_cast<double>(from.bytes);
    if (to.kind == trace::NodeKind::send) sizes[e.from] += static_cast<double>(to.bytes);
  }
  std::ranges::replace(sizes, 0.0, 1.0);
  return sizes;
}

TaskTimes times_of(std::span<const trace::RankTrace> traces) {
  TaskTimes times;
  for (const trace::RankTrace& trace : traces) {
    std::vector<std::vector<double>> sizes;
    for (const trace::GraphInfo& graph : trace.graphs) sizes.push_back(task_sizes(graph));
    for (const auto& events : trace.events)
      for (const trace::Event& e : events)
        if (e.kind == trace::EventKind::task && trace.runs[e.run].first_step)
          times.add(trace.name_of(e), sizes[trace.runs[e.run].graph][e.node],
                    static_cast<double>(e.end_ns - e.start_ns));
  }
  return times;
}

bool TaskTimeSink::begin_run(const trace::RunStart& run) {
  step_of_replay_0_ = run.first_step.value_or(0);
  return run.first_step.has_value();
}

void TaskTimeSink::describe(trace::GraphInfo graph) {
  sizes_ = task_sizes(graph);
  graph_ = std::move(graph);
}

void TaskTimeSink::record(const trace::Event& event) {
  if (event.kind != trace::EventKind::task) return;
  if (step_of_replay_0_ + event.replay < first_step_) return;
  const std::lock_guard lock(mutex_);
  times_.add(graph_.names[graph_.nodes[event.node].name], sizes_[event.node],
             static_cast<double>(event.end_ns - event.start_ns));
}

void TaskTimeSink::end_run(std::int64_t) {}

}  // namespace thalweg::predict
