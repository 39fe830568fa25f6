// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include <thalweg/trace/event.hpp>
#include <thalweg/trace/graph_info.hpp>

namespace thalweg::trace {

/// A run of a graph that is about to begin.
struct RunStart {
  std::int64_t start_ns = 0;
  std::uint64_t n_replays = 0;
  std::uint32_t depth = 1;                    ///< how many of them can be in flight
  std::optional<std::uint64_t> first_step{};  ///< what the program calls replay 0
  std::uint32_t n_workers = 1;                ///< events have workers below this
};

/// Where events go. No sink at all (a null pointer) costs the executor one branch an event.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Say whether events of a run are wanted; if not, nothing more is said about it. What it throws
  /// leaves Executor::run(), which has begun nothing.
  /// @threads only while no worker records; so are describe() and end_run()
  virtual bool begin_run(const RunStart& run) = 0;
  /// Learn what the nodes of the run are.
  virtual void describe(GraphInfo graph) = 0;
  /// Keep one event. @threads safe for events of different workers
  /// @errors none: workers call it in the middle of a run, which an exception would leave halfway
  virtual void record(const Event& event) noexcept = 0;
  virtual void end_run(std::int64_t end_ns) = 0;
};

}  // namespace thalweg::trace
