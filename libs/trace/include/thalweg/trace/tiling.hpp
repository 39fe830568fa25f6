// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/trace/history.hpp>

namespace thalweg::trace {

/// Why a worker had nothing to do, asked of the task it ran next.
///
/// Going back in time from when the worker found that task: while the task was ready, nobody had
/// started it; before, it waited for whichever of its producers finished last; and so on with the
/// producer.
enum class IdleCause : std::uint8_t {
  message_in_flight,  ///< a message on its way: sent and awaited, or a send not complete
  message_not_sent,   ///< a message awaited that its sender had not posted yet
  producer_running,   ///< a task on another worker of the rank
  producer_queued,    ///< a task, or a message to be posted, that was ready and not started
  no_task,            ///< it ran none any more in this run of the graph
  barrier,            ///< a barrier of the model, or the replays in flight
  unknown,            ///< something that was not traced
};
inline constexpr std::size_t n_idle_causes = 7;
std::string_view to_string(IdleCause cause);
/// The same as a key of JSON, without quotes: "message in flight" -> "message_in_flight".
std::string key_of(IdleCause cause);

/// Where the time of a worker in the window went.
/// @units nanoseconds; all parts add up to the window's length exactly
struct WorkerTiling {
  Rank rank{};
  std::uint32_t worker = 0;
  std::int64_t work_ns = 0;
  std::int64_t overhead_ns = 0;  ///< in runs, neither in a task nor idle
  std::int64_t outside_ns = 0;   ///< between runs of graphs, as the program makes the next one
  std::array<std::int64_t, n_idle_causes> idle_ns{};

  std::int64_t idle(IdleCause cause) const { return idle_ns[static_cast<std::size_t>(cause)]; }
  std::int64_t all_idle_ns() const;
  std::int64_t total_ns() const { return work_ns + overhead_ns + outside_ns + all_idle_ns(); }
  bool operator==(const WorkerTiling&) const = default;
};

/// Tile the time of every worker, by rank and worker.
std::vector<WorkerTiling> tile(const History& history);

}  // namespace thalweg::trace
