// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace thalweg::trace {

/// What an event was.
enum class EventKind : std::uint8_t { task, send, recv };

/// The number of a name in a sink's table.
using NameId = std::uint32_t;

/// One thing that took time on one worker.
/// @units times in nanoseconds of the run's clock
struct Event {
  std::int64_t start_ns = 0;  ///< a message: when it was posted
  std::int64_t end_ns = 0;    ///< a message: when its completion was seen
  std::uint64_t replay = 0;   ///< its number; of a time step, the step's
  std::uint64_t block = 0;    ///< the key given to the task
  std::uint64_t bytes = 0;    ///< size of a message
  NameId name = 0;
  std::uint32_t worker = 0;
  std::uint32_t peer = 0;  ///< the other rank of a message
  int level = 0;
  EventKind kind = EventKind::task;

  bool operator==(const Event&) const = default;
};

}  // namespace thalweg::trace
