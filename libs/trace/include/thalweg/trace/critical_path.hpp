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
/// A task takes the time it took. A message takes, from when its send is posted, what the network
/// is known to need; and no more than it took itself once both ends were posted. For the trace has
/// when a worker saw it complete, after the task that the worker was busy with, and not when it
/// came: what lies between lies on no path. Known is the time from a send's posting to the end of
/// its receive, of all messages between ranks of one host, or between hosts: one needs no more than
/// the quickest of those that are as large or larger, nor than n of the quickest with an nth of its
/// bytes. So a message that was slow where another of its size was quick counts as quick. A send
/// that something waits for takes what sends are known to need, likewise. Waiting for a worker and
/// the runtime's own time take none.
///
/// So no number of workers is quicker, with these tasks and a network that is always as quick as
/// its quickest messages; unless messages of all sizes were seen late. It is never longer than the
/// window. It needs the traces of all ranks: without, it may miss what they did.
/// @source Yang and Miller, "Critical path analysis for the execution of parallel and distributed
/// programs", ICDCS 1988, 366
CriticalPath critical_path(const History& history);

}  // namespace thalweg::trace
