// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// Finds accesses that tasks make but do not declare, in a single run, whatever its schedule.
///
/// Each task runs as a fiber of ThreadSanitizer, and only what the program has declared puts one
/// after another: edges within a replay and to the next, barriers, a task that controls
/// termination, messages. So two tasks that touch the same byte, one of them writing, are found
/// unless something declared orders them, even where this schedule ran them in the right order.
/// Atomics and mutexes in bodies order nothing.
///
/// Of a coroutine it looks at what the body does before it first waits, and at nothing that a bound
/// request does. What a message reads or writes counts as its node's. Virtual ranks in one process
/// share a checker, so that a send comes before its receive.
/// @threads one
class AccessChecker {
 public:
  /// @errors Error where the program was built without ThreadSanitizer
  AccessChecker();
  ~AccessChecker();
  AccessChecker(const AccessChecker&) = delete;
  AccessChecker& operator=(const AccessChecker&) = delete;

  /// What was found: both tasks, who reads and who writes. Each pair of tasks once.
  const std::vector<std::string>& findings() const;
  /// Tasks and messages that have run.
  std::uint64_t n_checked() const;
  /// Of these, how many had to share a fiber with one that they may overlap with, because
  /// ThreadSanitizer tells about 250 apart: conflicts between the two would not be seen. Zero where
  /// the program is small enough.
  std::uint64_t n_merged() const;

  /// For the executor: a run begins, or has come to its end after so many replays, or has failed.
  void begin(Graph& graph);
  void end(Graph& graph, std::optional<std::uint64_t> n_replays);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::flow
