// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include <thalweg/flow/executor.hpp>

#include "task_sampling.hpp"
#include "ticks.hpp"

namespace thalweg::flow {

/// What a worker can be doing.
enum class Activity : std::uint8_t { work, overhead, idle };

/// Tiles a worker's time: each moment belongs to the activity it was in. Traces its idle time.
///
/// Moments are ticks, made nanoseconds once a run: the run's first and last moment are known in
/// both. Idle gets what rounding leaves, so that the three add up to the run exactly. What lies
/// between short tasks that follow each other is sampled (TaskSampling).
/// @threads the worker writes; times() from any
class Account {
 public:
  Account(const Clock& clock, Accounting accounting, std::uint32_t worker)
      : ticks_(clock),
        is_accounted_(accounting == Accounting::on),
        worker_(static_cast<std::uint16_t>(worker)) {}

  /// Begin an activity. @return the moment, or that of the last one where nothing is timed
  std::int64_t enter(Activity activity) {
    if (!is_timed_ || activity == activity_) return last_;
    enter(activity, ticks_.now());
    return last_;
  }
  /// Begin a task of some that may follow each other at once. @pre is_timed(), no sink
  void begin_sampled_task() {
    if (activity_ == Activity::work) return;
    const std::int64_t now = ticks_.now();
    sampling_.see_begin(now - last_);
    enter(Activity::work, now);
  }
  void end_sampled_task() {
    if (!sampling_.end_task()) return;
    const std::int64_t now = std::max(ticks_.now(), last_);
    leave_work(now, sampling_.see_end(now - last_));
  }
  /// No other has followed: overhead begins, if it has not.
  void end_sampled_tasks() {
    if (activity_ == Activity::work) {
      const std::int64_t now = std::max(ticks_.now(), last_);
      leave_work(now, sampling_.see_rest(now - last_));
    }
    sampling_.end_batch();
  }
  /// Begin tiling, at a moment: the worker is idle from now on. @threads the caller of run()
  /// @param sink  where the events of this run go, not owned; null: nowhere
  void open(std::int64_t now_ns, trace::Sink* sink) {
    const std::lock_guard lock(mutex_);
    sink_ = sink;
    is_timed_ = is_accounted_ || sink != nullptr;
    // Events are told in nanoseconds, at once.
    ticks_.use_counter(sink == nullptr);
    open_ns_ = now_ns;
    open_ = last_ = ticks_.is_counter() ? ticks_.now() : now_ns;
    activity_ = Activity::idle;
    sampling_.begin(ticks_.look_ticks());
  }
  /// End tiling, at a moment. @threads the caller of run()
  void close(std::int64_t now_ns) {
    const std::lock_guard lock(mutex_);
    enter(Activity::idle, ticks_.is_counter() ? ticks_.now() : now_ns);
    add(past_, times_since_open(now_ns, last_));
    for (auto& spent : spent_) spent.store(0, std::memory_order_relaxed);
    open_ = last_;
    open_ns_ = now_ns;
  }
  void count_task() {
    n_tasks_.store(n_tasks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// Count a sleep, and whether its limit ended it. @threads any
  void count_park(bool is_late) {
    n_parks_.fetch_add(1, std::memory_order_relaxed);
    n_late_.fetch_add(is_late ? 1 : 0, std::memory_order_relaxed);
  }

  std::uint64_t n_tasks() const { return n_tasks_.load(std::memory_order_relaxed); }
  bool is_timed() const { return is_timed_; }
  trace::Sink* sink() const { return sink_; }
  std::int64_t now_ns() const { return ticks_.now_ns(); }
  /// For lengths only: of the counter, where there is one, else nanoseconds.
  std::int64_t now_ticks() const { return ticks_.now(); }
  WorkerTime times() const {
    const std::lock_guard lock(mutex_);
    WorkerTime total = past_;
    total.n_tasks = n_tasks();
    total.n_parks = n_parks_.load(std::memory_order_relaxed);
    total.n_late = n_late_.load(std::memory_order_relaxed);
    const std::int64_t n_spent =
        spent(Activity::work) + spent(Activity::overhead) + spent(Activity::idle);
    if (n_spent == 0) return total;
    if (!ticks_.is_counter()) {
      add(total, times_since_open(open_ns_ + n_spent, open_ + n_spent));
      return total;
    }
    // In the middle of a run: what was entered so far, at the rate so far.
    const std::int64_t now = ticks_.now(), now_ns = ticks_.now_ns();
    const double ns_per_tick = static_cast<double>(now_ns - open_ns_) /
                               static_cast<double>(std::max(now - open_, std::int64_t{1}));
    const auto until = static_cast<std::int64_t>(static_cast<double>(n_spent) * ns_per_tick);
    add(total, times_since_open(open_ns_ + until, open_ + n_spent));
    return total;
  }

 private:
  void enter(Activity activity, std::int64_t now) {
    // Never back, where a thread has moved to a core whose counter is a little behind.
    now = std::max(now, last_);
    spend(activity_, now - last_);
    if (sink_ != nullptr && activity_ == Activity::idle && now > last_)
      sink_->record(
          {.start_ns = last_, .end_ns = now, .worker = worker_, .kind = trace::EventKind::idle});
    last_ = now;
    activity_ = activity;
  }
  /// Begin overhead, which was part of the time since the last look.
  void leave_work(std::int64_t now, std::int64_t overhead) {
    spend(Activity::work, now - last_ - overhead);
    spend(Activity::overhead, overhead);
    last_ = now;
    activity_ = Activity::overhead;
  }
  void spend(Activity activity, std::int64_t ticks) {
    auto& total = spent_[static_cast<std::size_t>(activity)];
    total.store(total.load(std::memory_order_relaxed) + ticks, std::memory_order_relaxed);
  }
  std::int64_t spent(Activity a) const {
    return spent_[static_cast<std::size_t>(a)].load(std::memory_order_relaxed);
  }
  /// What was entered, in nanoseconds, where tick `now` is the moment `now_ns`.
  WorkerTime times_since_open(std::int64_t now_ns, std::int64_t now) const {
    const std::int64_t all_ns = now_ns - open_ns_;
    const double ns_per_tick =
        static_cast<double>(all_ns) / static_cast<double>(std::max(now - open_, std::int64_t{1}));
    const auto in_ns = [&](Activity a) {
      if (!ticks_.is_counter()) return spent(a);
      return static_cast<std::int64_t>(static_cast<double>(spent(a)) * ns_per_tick);
    };
    WorkerTime t{.work_ns = in_ns(Activity::work), .overhead_ns = in_ns(Activity::overhead)};
    t.idle_ns = all_ns - t.work_ns - t.overhead_ns;
    return t;
  }
  static void add(WorkerTime& to, const WorkerTime& more) {
    to.work_ns += more.work_ns;
    to.overhead_ns += more.overhead_ns;
    to.idle_ns += more.idle_ns;
  }

  Ticks ticks_;
  trace::Sink* sink_ = nullptr;
  bool is_accounted_;
  bool is_timed_ = false;
  std::uint16_t worker_;
  TaskSampling sampling_;
  Activity activity_ = Activity::idle;
  std::int64_t last_ = 0;
  std::array<std::atomic<std::int64_t>, 3> spent_{};  ///< ticks, since open()
  std::atomic<std::uint64_t> n_tasks_{0};
  std::atomic<std::uint64_t> n_parks_{0};
  std::atomic<std::uint64_t> n_late_{0};

  mutable std::mutex mutex_;  ///< of what follows
  std::int64_t open_ = 0;     ///< tick
  std::int64_t open_ns_ = 0;
  WorkerTime past_;  ///< of earlier runs
};

}  // namespace thalweg::flow
