// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::trace {

/// What an event was.
enum class EventKind : std::uint8_t { task, send, recv, idle };

/// One thing that took time on one worker; what the node is, the graph of its run says.
/// @units times in nanoseconds of the run's clock
struct Event {
  std::int64_t start_ns = 0;  ///< a message: when it was posted
  std::int64_t end_ns = 0;    ///< a message: when its completion was seen
  std::uint64_t replay = 0;   ///< its number in the run, from 0; not of idle time
  std::uint32_t node = 0;     ///< of the run's graph; not of idle time
  std::uint32_t run = 0;      ///< which of the runs traced, filled in by the sink
  std::uint16_t worker = 0;
  EventKind kind = EventKind::task;

  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) <= 64, "one cache line");

}  // namespace thalweg::trace
