// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include <thalweg/trace/task_table.hpp>

namespace thalweg::trace {

std::vector<TaskStatistics> task_table(const History& history) {
  // Whole tasks: the window cuts off the last ones of each worker. All parts of one together.
  std::map<std::string, std::vector<std::int64_t>> times;
  const Span& window = history.window();
  for (const RankTrace& trace : history.traces()) {
    std::vector<const Event*> tasks;
    for (const auto& events : trace.events)
      for (const Event& e : events)
        if (e.kind == EventKind::task) tasks.push_back(&e);
    const auto which = [](const Event* e) { return std::tuple(e->run, e->replay, e->node); };
    std::ranges::sort(tasks, {}, [&](const Event* e) {
      return std::tuple_cat(which(e), std::tuple(e->start_ns));
    });
    for (auto it = tasks.begin(); it != tasks.end();) {
      const Event& first = **it;
      std::int64_t time_ns = 0;
      for (; it != tasks.end() && which(*it) == which(&first); ++it)
        time_ns += (*it)->end_ns - (*it)->start_ns;
      if (first.start_ns >= window.start_ns && first.start_ns < window.end_ns)
        times[trace.name_of(first)].push_back(time_ns);
    }
  }

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
