// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>

namespace thalweg::flow {

/// At which ends of tasks a worker looks at the counter, and how long it takes the times between
/// tasks to be that it has not seen.
///
/// A look costs more than what is done between two short tasks. So of short tasks that follow each
/// other only every 16th is looked at, when it ends and when the next one begins. The other times
/// between them are taken to be as long as the mean of those seen. Between longer tasks all are
/// seen.
/// @units ticks
class TaskSampling {
 public:
  /// Half a microsecond to a whole one: longer tasks are not short, and what is longer between two
  /// is not the executor's.
  static constexpr std::int64_t short_ticks = 2048;

  /// Begin anew. @param look_ticks  what a look takes; 0: look at every end
  void begin(std::int64_t look_ticks) {
    look_ticks_ = look_ticks;
    interval_ = 1;
    n_ended_ = 0;
    is_between_ = false;
  }
  /// Another task has ended. @return whether to look
  bool end_task() { return ++n_ended_ >= interval_; }
  /// A look at the end of a task. @return how much of so long, since the last look, was between
  /// tasks
  std::int64_t see_end(std::int64_t ticks) {
    is_between_ = true;
    return take(ticks, n_ended_ - 1);
  }
  /// A look at the beginning of the next, so long after that.
  void see_begin(std::int64_t ticks) {
    if (!is_between_) return;
    is_between_ = false;
    const std::int64_t seen = scale * std::clamp(ticks - look_ticks_, std::int64_t{0}, short_ticks);
    mean_ = has_mean_ ? mean_ + (seen - mean_) / n_most : seen;
    has_mean_ = true;
  }
  /// A look when no task has followed the last. @return as see_end()
  std::int64_t see_rest(std::int64_t ticks) { return take(ticks, n_ended_); }
  /// No task follows for now.
  void end_batch() { is_between_ = false; }

 private:
  static constexpr std::int64_t n_most = 16;
  static constexpr std::int64_t scale = 256;  ///< of the mean, for parts of a tick

  std::int64_t take(std::int64_t ticks, std::int64_t n_unseen) {
    const bool may_skip = has_mean_ && look_ticks_ > 0 && ticks < n_ended_ * short_ticks;
    interval_ = may_skip ? std::min(2 * interval_, n_most) : 1;
    n_ended_ = 0;
    return std::min(n_unseen * mean_ / scale, ticks);
  }

  std::int64_t look_ticks_ = 0;
  std::int64_t interval_ = 1;
  std::int64_t n_ended_ = 0;  ///< tasks since the last look
  std::int64_t mean_ = 0;     ///< time between tasks
  bool has_mean_ = false;
  bool is_between_ = false;  ///< whether the end of the last task was seen
};

}  // namespace thalweg::flow
