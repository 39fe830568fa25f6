// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/trace/history.hpp>

namespace thalweg::trace {

/// How long tasks of one name took. Percentiles are times tasks really took (nearest rank).
struct TaskStatistics {
  std::string name;
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;
  double mean_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p95_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t max_ns = 0;

  bool operator==(const TaskStatistics&) const = default;
};

/// The tasks that began in the window, by name over all ranks; the longest in total first.
std::vector<TaskStatistics> task_table(const History& history);

}  // namespace thalweg::trace
