// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/flow/executor.hpp>
#include <thalweg/io/progress.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/step_sums.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What rank 0 knows at the end of a step.
struct StepStatistics {
  step::TimeState time_state;  ///< dt_before is the step's length; dt may be the next one's
  std::span<const std::int64_t> blocks_per_level;
  std::int64_t zone_updates = 0;  ///< of the step, all levels and ranks
  numerics::Fallbacks fallbacks;  ///< of the step, to keep states admissible; its number of
                                  ///< retries is the time state's
  double wall_s = 0;  ///< from the end of the last step, mean of all ranks; with regrids, not plots
  double parallel_efficiency = 0;  ///< time in tasks / (wall time x workers), all ranks
  std::uint64_t memory_bytes = 0;  ///< resident, all ranks
};

/// Called on rank 0 after each step, from some worker.
using OnStep = std::function<void(const StepStatistics&)>;

/// Gathers statistics while a step's graph runs; see step::StepRecorder::record_step.
class StepObserver {
 public:
  /// @param on_step  called on rank 0 after each step, from some worker
  StepObserver(const flow::Executor& executor, const Clock& clock, int n_ranks,
               std::function<void(const StepStatistics&)> on_step)
      : executor_(executor),
        clock_(clock),
        n_ranks_(n_ranks),
        on_step_(std::move(on_step)),
        start_s_(clock_.now_s()) {}

  /// Say how much a step of the present mesh is.
  void set_mesh(std::vector<std::int64_t> blocks_per_level, std::int64_t zone_updates) {
    blocks_per_level_ = std::move(blocks_per_level);
    zone_updates_ = zone_updates;
  }

  /// Let the next step begin now: what was done since the last one ended is not part of it.
  void restart_clock() {
    start_s_ = clock_.now_s();
    last_s_ = 0;
    work_before_s_ = work_s();
    last_work_s_ = 0;
  }

  /// What this rank says when a step ends; its memory as it was a tenth of a second ago or later:
  /// to ask for it takes longer than to advance a small block. Clocks of ranks on several hosts
  /// have nothing in common but their pace.
  step::StepSums sample() {
    const double at_s = clock_.now_s();
    if (!memory_at_s_ || at_s >= *memory_at_s_ + memory_every_s) {
      memory_bytes_ = io::resident_bytes();
      memory_at_s_ = at_s;
    }
    return {.work_s = work_s() - work_before_s_,
            .end_s = at_s - start_s_,
            .memory_bytes = memory_bytes_};
  }

  /// Turn the sums over all ranks into statistics.
  void report(const step::TimeState& time_state, const step::StepSums& sums) {
    const double end_s = sums.end_s / n_ranks_;  // the mean of when ranks ended the step
    const double wall_s = end_s - last_s_;
    const double n_workers = static_cast<double>(executor_.config().n_workers) * n_ranks_;
    if (on_step_)
      on_step_({.time_state = time_state,
                .blocks_per_level = blocks_per_level_,
                .zone_updates = zone_updates_,
                .fallbacks = sums.fallbacks,
                .wall_s = wall_s,
                .parallel_efficiency =
                    wall_s > 0 ? (sums.work_s - last_work_s_) / (wall_s * n_workers) : 0.0,
                .memory_bytes = sums.memory_bytes});
    last_s_ = end_s;
    last_work_s_ = sums.work_s;
  }

 private:
  static constexpr double memory_every_s = 0.1;

  double work_s() const { return 1e-9 * static_cast<double>(executor_.total_time().work_ns); }

  const flow::Executor& executor_;
  const Clock& clock_;
  int n_ranks_;
  std::function<void(const StepStatistics&)> on_step_;
  std::vector<std::int64_t> blocks_per_level_;
  std::int64_t zone_updates_ = 0;
  double start_s_;            // when the clock was restarted, by this rank's
  double work_before_s_ = 0;  // of this rank, then
  // Since then, of all ranks: when the last step ended, and work until then.
  double last_s_ = 0, last_work_s_ = 0;
  std::optional<double> memory_at_s_;  // when the system was asked for it
  std::uint64_t memory_bytes_ = 0;
};

}  // namespace thalweg::app
