// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/critical_path.hpp>
#include <thalweg/trace/efficiency.hpp>
#include <thalweg/trace/task_table.hpp>
#include <thalweg/trace/tiling.hpp>

namespace thalweg::trace {

/// What a trace says of a program, as figures.
struct Summary {
  std::string model;  ///< of the first graph
  std::uint32_t n_ranks = 1;
  std::uint32_t n_ranks_traced = 1;
  StepWindow steps{};
  std::int64_t wall_ns = 0;
  std::uint64_t n_dropped = 0;   ///< events that found no room: with any, the rest is not exact
  std::uint64_t n_messages = 0;  ///< received in the window
  std::uint64_t message_bytes = 0;
  std::vector<WorkerTiling> workers;
  Efficiencies efficiencies;
  std::int64_t ideal_network_ns = 0;
  double overlap_ratio = 0;
  CriticalPath critical_path;
  std::vector<TaskStatistics> tasks;
};

/// @errors a Failure as History::of says
Result<Summary> summarise(std::vector<RankTrace> traces);

/// Write a summary for people; each worker has a line of its own where there are 16 at most.
void write_text(std::ostream& out, const Summary& summary);
/// Write a summary for tools, schema thalweg-trace-summary-1; times in nanoseconds.
void write_json(std::ostream& out, const Summary& summary);

}  // namespace thalweg::trace
