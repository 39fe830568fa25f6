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

/// Tiles a worker's time: each moment belongs to the activity it was in.
/// @threads the worker writes; times() from any
class Account {
 public:
  Account(const Clock& clock, Accounting accounting, const trace::Sink* sink)
      : clock_(clock), is_timed_(accounting == Accounting::on || sink != nullptr) {}

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
    last_ns_ = now_ns;
    activity_ = activity;
  }
  /// Begin tiling: the worker is idle from now on.
  void open(std::int64_t now_ns) {
    last_ns_ = now_ns;
    activity_ = Activity::idle;
  }
  /// End tiling.
  void close(std::int64_t now_ns) { enter(Activity::idle, now_ns); }
  void count_task() {
    n_tasks_.store(n_tasks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::uint64_t n_tasks() const { return n_tasks_.load(std::memory_order_relaxed); }
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
  bool is_timed_;
  Activity activity_ = Activity::idle;
  std::int64_t last_ns_ = 0;
  std::array<std::atomic<std::int64_t>, 3> totals_{};
  std::atomic<std::uint64_t> n_tasks_{0};
};

}  // namespace thalweg::flow
