// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/trace/event.hpp>
#include <thalweg/trace/graph_info.hpp>

namespace thalweg::trace {

/// One call of Executor::run.
struct RunInfo {
  std::uint64_t ordinal = 0;  ///< how many runs of this rank came before, traced or not
  std::uint32_t graph = 0;    ///< its number in RankTrace::graphs
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::uint64_t> first_step{};  ///< what the program calls replay 0

  bool operator==(const RunInfo&) const = default;
};

/// Steps of which a trace was asked for: first, first + 1, ..., last - 1.
struct StepWindow {
  std::uint64_t first = 0;
  std::uint64_t last = UINT64_MAX;

  bool is_everything() const { return first == 0 && last == UINT64_MAX; }
  bool operator==(const StepWindow&) const = default;
};

/// All that one rank's trace says; a value.
struct RankTrace {
  Rank rank{};
  std::uint32_t n_ranks = 1;
  std::string host{};  ///< ranks of one host have one clock
  StepWindow steps{};
  std::vector<GraphInfo> graphs{};
  std::vector<RunInfo> runs{};               ///< in order of time
  std::vector<std::vector<Event>> events{};  ///< of each worker, in the order they ended
  std::uint64_t n_dropped = 0;               ///< events that found no room

  std::uint32_t n_workers() const { return static_cast<std::uint32_t>(events.size()); }
  const GraphInfo& graph_of(const Event& e) const { return graphs[runs[e.run].graph]; }
  const NodeInfo& node_of(const Event& e) const { return graph_of(e).nodes[e.node]; }
  /// @pre not idle time
  const std::string& name_of(const Event& e) const { return graph_of(e).names[node_of(e).name]; }
  /// Whether an event is of a step at all: a regrid's tasks are of none, nor are those of a program
  /// without steps. @pre not idle time
  bool has_step(const Event& e) const { return runs[e.run].first_step.has_value(); }
  /// Whether an event is of the steps that the trace was asked for.
  bool is_of_steps(const Event& e) const {
    if (e.kind == EventKind::idle || !has_step(e)) return false;
    const std::uint64_t step = step_of(e);
    return step >= steps.first && step < steps.last;
  }
  /// The step of an event, or its replay where it is of none.
  std::uint64_t step_of(const Event& e) const {
    return runs[e.run].first_step.value_or(0) + e.replay;
  }

  bool operator==(const RankTrace&) const = default;
};

}  // namespace thalweg::trace
