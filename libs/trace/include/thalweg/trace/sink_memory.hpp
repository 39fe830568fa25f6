// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/trace/rank_trace.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::trace {

/// Keeps events in buffers, one a worker, that grow before a run to what it may have: no lock and
/// no allocation to record.
///
/// Of a window of steps it keeps what is between the first event of the first step and the last one
/// of the last, on whatever step, and as many steps around it as can be in flight: so every
/// worker's time in the window is accounted for. A full buffer drops what comes later and counts
/// it.
class MemorySink final : public Sink {
 public:
  struct Config {
    std::uint32_t n_workers = 1;          ///< of the executors whose runs it hears of, at least
    std::size_t n_events_per_worker = 0;  ///< at most
    StepWindow steps{};
  };
  explicit MemorySink(const Config& config);

  /// @errors Error where the run has more workers than there are buffers
  bool begin_run(const RunStart& run) override;
  void describe(GraphInfo graph) override;
  void record(const Event& event) noexcept override;
  void end_run(std::int64_t end_ns) override;

  std::uint32_t n_workers() const { return static_cast<std::uint32_t>(buffers_.size()); }
  /// The events of one worker, in the order they ended.
  std::span<const Event> events(std::uint32_t worker) const { return buffers_[worker].events; }
  /// How many events found their buffer full.
  std::uint64_t n_dropped() const;
  /// All that was kept, as a value.
  RankTrace trace(Rank rank, std::uint32_t n_ranks, std::string host) const;

 private:
  static constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

  /// Alone on its cache line, so that workers do not slow each other.
  struct alignas(64) Buffer {
    std::vector<Event> events;
    std::uint64_t n_dropped = 0;
  };

  bool is_wanted(const Event& event);
  /// Let there be room for the events of so many replays more.
  void make_room(std::uint64_t n_replays, std::size_t n_nodes);

  std::vector<Buffer> buffers_;
  std::size_t most_events_;  ///< of a worker
  StepWindow steps_;
  std::vector<GraphInfo> graphs_;
  std::vector<RunInfo> runs_;
  std::uint64_t n_runs_ = 0;     ///< wanted or not
  std::uint64_t next_step_ = 0;  ///< after the runs so far

  // Of the present run.
  std::uint64_t n_replays_ = 0;
  bool is_whole_ = true;                   ///< whether all its events are wanted
  std::uint64_t first_ = 0, last_ = 0;     ///< otherwise, of these replays: [first_, last_)
  std::atomic<std::int64_t> open_ns_{0};   ///< idle time that ends before is not wanted
  std::atomic<std::int64_t> close_ns_{0};  ///< nor what begins after this
};

}  // namespace thalweg::trace
