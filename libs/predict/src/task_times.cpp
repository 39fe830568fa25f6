// SPDX-License-Identifier: MIT
#include <thalweg/predict/task_times.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include <thalweg/core/contract.hpp>

#include "message_sizes.hpp"

namespace thalweg::predict {

void TimeFit::add(double size, double ns) {
  n += 1;
  n_with_messages += size > 0;
  least_size = std::min(least_size, size);
  most_size = std::max(most_size, size);
  sum_size += size;
  sum_ns += ns;
  sum_size2 += size * size;
  sum_size_ns += size * ns;
}

TimeFit::Line TimeFit::line() const {
  if (given) return *given;
  const Line level{std::max(0.0, sum_ns / n), 0};
  if (n_with_messages > 0 && n_with_messages < n) return level;
  if (most_size <= least_size || most_size < 2 * least_size) return level;
  const double size_spread = sum_size2 - sum_size * sum_size / n;
  const double slope = (sum_size_ns - sum_size * sum_ns / n) / size_spread;
  if (slope <= 0) return level;
  const double without_size = sum_ns / n - slope * (sum_size / n);
  if (without_size >= 0) return {without_size, slope};
  return {0, std::max(0.0, sum_size_ns / sum_size2)};
}

void TaskTimes::add(std::string_view name, double size, double ns) {
  auto it = fits_.find(name);
  if (it == fits_.end()) it = fits_.emplace(std::string(name), TimeFit{}).first;
  it->second.add(size, ns);
}

void TaskTimes::set_line(std::string_view name, const TimeFit::Line& line) {
  fits_.insert_or_assign(std::string(name), TimeFit{.given = line});
}

void TaskTimes::set_like(std::string_view name, std::string_view of, double factor) {
  TimeFit fit = known(of);
  const TimeFit::Line line = fit.line();
  fit.given = {factor * line.without_size, line.slope};
  fits_.insert_or_assign(std::string(name), std::move(fit));
}

double TaskTimes::at(std::string_view name, double size) const {
  const auto it = fits_.find(name);
  THALWEG_EXPECT(it != fits_.end(), "no task of this name was measured");
  return it->second.at(size);
}

TimeFit& TaskTimes::known(std::string_view name) {
  const auto it = fits_.find(name);
  THALWEG_EXPECT(it != fits_.end(), "no task of this name was measured");
  return it->second;
}

void TaskTimes::set_spread(std::string_view name, std::vector<double> factors) {
  known(name).spread = std::move(factors);
}

void TaskTimes::set_memory_bound(std::string_view name) {
  known(name).is_memory_bound = true;
}

bool TaskTimes::is_memory_bound(std::string_view name) const {
  const auto it = fits_.find(name);
  return it != fits_.end() && it->second.is_memory_bound;
}

std::vector<double> task_sizes(const trace::GraphInfo& graph) {
  const auto for_each_edge = [&](const auto& hear) {
    for (const trace::Edge& e : graph.edges) hear(e.from, e.to);
  };
  const auto bytes_of = [&](trace::NodeKind kind) {
    return [&graph, kind](std::uint32_t node) {
      const trace::NodeInfo& info = graph.nodes[node];
      return info.kind == kind ? static_cast<double>(info.bytes) : 0;
    };
  };
  return sizes_of_nodes(graph.nodes.size(), for_each_edge, bytes_of(trace::NodeKind::recv),
                        bytes_of(trace::NodeKind::send));
}

namespace {

/// Hear of each task of a step: its name, size and time.
template <class F>
void for_each_task(std::span<const trace::RankTrace> traces, F&& hear) {
  for (const trace::RankTrace& trace : traces) {
    std::vector<std::vector<double>> sizes;
    for (const trace::GraphInfo& graph : trace.graphs) sizes.push_back(task_sizes(graph));
    for (const auto& events : trace.events)
      for (const trace::Event& e : events)
        if (e.kind == trace::EventKind::task && trace.runs[e.run].first_step)
          hear(trace.name_of(e), sizes[trace.runs[e.run].graph][e.node],
               static_cast<double>(e.end_ns - e.start_ns));
  }
}

/// The means of equal parts of these factors, from the least on, over the mean of all. An end of a
/// part may go through a factor, so that all parts are equally likely.
std::vector<double> means_of_parts(std::vector<double> factors) {
  constexpr std::size_t most_parts = 64;
  std::ranges::sort(factors);
  const std::size_t n = factors.size(), n_parts = std::min(n, most_parts);
  std::vector<double> sums(n + 1);  // of the least factors
  std::partial_sum(factors.begin(), factors.end(), sums.begin() + 1);
  const auto sum_until = [&](std::size_t part) {
    const std::size_t whole = part * n / n_parts, rest = part * n % n_parts;
    return rest == 0 ? sums[whole]
                     : std::lerp(sums[whole], sums[whole + 1],
                                 static_cast<double>(rest) / static_cast<double>(n_parts));
  };
  std::vector<double> means;
  for (std::size_t p = 0; p < n_parts && sums[n] > 0; ++p)
    means.push_back((sum_until(p + 1) - sum_until(p)) * static_cast<double>(n_parts) / sums[n]);
  return means;
}

}  // namespace

TaskTimes times_of(std::span<const trace::RankTrace> traces) {
  TaskTimes times;
  for_each_task(
      traces, [&](const std::string& name, double size, double ns) { times.add(name, size, ns); });
  std::map<std::string, std::vector<double>> factors;
  for_each_task(traces, [&](const std::string& name, double size, double ns) {
    if (const double on_line = times.at(name, size); on_line > 0)
      factors[name].push_back(ns / on_line);
  });
  for (auto& [name, of_name] : factors) times.set_spread(name, means_of_parts(std::move(of_name)));
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

void TaskTimeSink::record(const trace::Event& event) noexcept {
  if (event.kind != trace::EventKind::task) return;
  if (step_of_replay_0_ + event.replay < first_step_) return;
  const std::lock_guard lock(mutex_);
  times_.add(graph_.names[graph_.nodes[event.node].name], sizes_[event.node],
             static_cast<double>(event.end_ns - event.start_ns));
}

void TaskTimeSink::end_run(std::int64_t) {}

}  // namespace thalweg::predict
