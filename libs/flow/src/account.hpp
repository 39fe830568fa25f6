// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::flow {

/// What a worker can be doing.
enum class Activity : std::uint8_t { work, overhead, idle };

/// Tiles a worker's time: each moment belongs to the activity it was in. Traces its idle time.
/// @threads the worker writes; times() from any
class Account {
 public:
  Account(const Clock& clock, Accounting accounting, std::uint32_t worker)
      : clock_(clock),
        is_accounted_(accounting == Accounting::on),
        worker_(static_cast<std::uint16_t>(worker)) {}

  /// Begin an activity. @return the moment, or 0 where nothing is timed
  std::int64_t enter(Activity activity) {
    if (!is_timed_ || activity == activity_) return last_ns_;
    const std::int64_t now = clock_.now_ns();
    enter(activity, now);
    return now;
  }
  /// Begin an activity at a moment already known.
  void enter(Activity activity, std::int64_t now_ns) {
    auto& total = totals_[static_cast<std::size_t>(activity_)];
    total.store(total.load(std::memory_order_relaxed) + now_ns - last_ns_,
                std::memory_order_relaxed);
    if (sink_ != nullptr && activity_ == Activity::idle && now_ns > last_ns_)
      sink_->record({.start_ns = last_ns_,
                     .end_ns = now_ns,
                     .worker = worker_,
                     .kind = trace::EventKind::idle});
    last_ns_ = now_ns;
    activity_ = activity;
  }
  /// Begin tiling: the worker is idle from now on.
  /// @param sink  where the events of this run go, not owned; null: nowhere
  void open(std::int64_t now_ns, trace::Sink* sink) {
    sink_ = sink;
    is_timed_ = is_accounted_ || sink != nullptr;
    last_ns_ = now_ns;
    activity_ = Activity::idle;
  }
  /// End tiling.
  void close(std::int64_t now_ns) { enter(Activity::idle, now_ns); }
  void count_task() {
    n_tasks_.store(n_tasks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::uint64_t n_tasks() const { return n_tasks_.load(std::memory_order_relaxed); }
  trace::Sink* sink() const { return sink_; }
  std::int64_t now_ns() const { return is_timed_ ? clock_.now_ns() : 0; }
  WorkerTime times() const {
    const auto total = [&](Activity a) {
      return totals_[static_cast<std::size_t>(a)].load(std::memory_order_relaxed);
    };
    return {.work_ns = total(Activity::work),
            .overhead_ns = total(Activity::overhead),
            .idle_ns = total(Activity::idle),
            .n_tasks = n_tasks()};
  }

 private:
  const Clock& clock_;
  trace::Sink* sink_ = nullptr;
  bool is_accounted_;
  bool is_timed_ = false;
  std::uint16_t worker_;
  Activity activity_ = Activity::idle;
  std::int64_t last_ns_ = 0;
  std::array<std::atomic<std::int64_t>, 3> totals_{};
  std::atomic<std::uint64_t> n_tasks_{0};
};

}  // namespace thalweg::flow
