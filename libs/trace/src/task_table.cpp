// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <thalweg/trace/task_table.hpp>

namespace thalweg::trace {

std::vector<TaskStatistics> task_table(const History& history) {
  // Whole tasks: the window cuts off the last ones of each worker.
  std::map<std::string, std::vector<std::int64_t>> times;
  for (const RankTrace& trace : history.traces())
    for (const auto& events : trace.events)
      for (const Event& e : events)
        if (e.kind == EventKind::task && e.start_ns >= history.window().start_ns &&
            e.start_ns < history.window().end_ns)
          times[trace.name_of(e)].push_back(e.end_ns - e.start_ns);

  std::vector<TaskStatistics> table;
  for (auto& [name, all] : times) {
    std::ranges::sort(all);
    const auto percentile = [&](std::size_t percent) {
      return all[(percent * all.size() + 99) / 100 - 1];
    };
    const auto total = std::accumulate(all.begin(), all.end(), std::int64_t{0});
    table.push_back({.name = name,
                     .count = all.size(),
                     .total_ns = total,
                     .mean_ns = static_cast<double>(total) / static_cast<double>(all.size()),
                     .p50_ns = percentile(50),
                     .p95_ns = percentile(95),
                     .p99_ns = percentile(99),
                     .max_ns = all.back()});
  }
  std::ranges::stable_sort(table, std::greater<>(), &TaskStatistics::total_ns);
  return table;
}

}  // namespace thalweg::trace
