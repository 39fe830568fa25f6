// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
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
  /// Time a step: from the end of the first one to that of the last, over the steps between. Not
  /// wall_ns over the steps, as the window may end in the midst of some. None for less than two.
  std::optional<double> step_ns{};
  std::uint64_t n_dropped = 0;   ///< events that found no room: with any, the rest is not exact
  std::uint64_t n_messages = 0;  ///< received in the window
  std::uint64_t message_bytes = 0;
  std::vector<WorkerTiling> workers;
  std::vector<TaskStatistics> tasks;

  /// Whether the figures below are known. All are 0 where they are not: what a rank does that was
  /// not traced may make any of them better or worse.
  bool has_all_ranks() const { return n_ranks_traced == n_ranks; }
  Efficiencies efficiencies{};
  std::int64_t ideal_network_ns = 0;
  double overlap_ratio = 0;
  CriticalPath critical_path{};
};

/// @errors a Failure as History::of says
Result<Summary> summarise(std::vector<RankTrace> traces);

/// Write a summary for people; each worker has a line of its own where there are 16 at most.
void write_text(std::ostream& out, const Summary& summary);
/// Write a summary for tools, schema thalweg-trace-summary-1; times in nanoseconds. Steps are
/// [first, last), without the last, as trace.steps has them. What is not known is null.
void write_json(std::ostream& out, const Summary& summary);

}  // namespace thalweg::trace
