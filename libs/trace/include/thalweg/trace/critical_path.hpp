// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <thalweg/trace/history.hpp>

namespace thalweg::trace {

/// What one kind of thing adds to a critical path.
struct PathShare {
  std::string name;  ///< of tasks, "messages" or "between runs"
  std::int64_t time_ns = 0;
  std::uint64_t count = 0;

  bool operator==(const PathShare&) const = default;
};

/// The longest chain of things that had to happen one after another.
struct CriticalPath {
  std::int64_t length_ns = 0;
  std::uint64_t n_rank_changes = 0;  ///< how often it goes from one rank to another
  std::vector<PathShare> shares;     ///< the longest first
};

/// Find the longest path through what was executed, by dependencies alone.
///
/// A task takes the time it took, a message the time both ends were posted; waiting for a worker
/// and the runtime's own time take none. So no number of workers is quicker, with these tasks and
/// messages. It is never longer than the window.
/// @source Yang and Miller, "Critical path analysis for the execution of parallel and distributed
/// programs", ICDCS 1988, 366
CriticalPath critical_path(const History& history);

}  // namespace thalweg::trace
