// SPDX-License-Identifier: MIT
#include "monitor.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace thalweg::flow {

Monitor::Monitor(double limit_s, Logger& log)
    : limit_ns_(static_cast<std::int64_t>(limit_s * 1e9)), log_(log), thread_([this] { loop(); }) {}

Monitor::~Monitor() {
  {
    const std::lock_guard lock(mutex_);
    is_quitting_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Monitor::watch(Subject subject) {
  {
    const std::lock_guard lock(mutex_);
    seen_.assign(subject.n_workers, {std::nullopt, 0, limit_ns_});
    subject_ = std::move(subject);
  }
  changed_.notify_one();
}

void Monitor::unwatch() {
  const std::lock_guard lock(mutex_);
  subject_.reset();
}

void Monitor::loop() {
  // Often enough to be late by a quarter of the limit at most, and by a second.
  const std::chrono::nanoseconds period(
      std::clamp<std::int64_t>(limit_ns_ / 4, 1'000'000, 1'000'000'000));
  std::unique_lock lock(mutex_);
  while (!is_quitting_) {
    if (!subject_) {
      changed_.wait(lock, [&] { return is_quitting_ || subject_.has_value(); });
      continue;
    }
    const std::int64_t now_ns = clock_.now_ns();
    for (std::uint32_t w = 0; w < seen_.size(); ++w) look(w, now_ns);
    changed_.wait_for(lock, period, [&] { return is_quitting_; });
  }
}

void Monitor::look(std::uint32_t worker, std::int64_t now_ns) {
  Seen& seen = seen_[worker];
  const auto sighting = subject_->look(worker);
  if (!sighting || sighting != seen.sighting) {
    seen = {sighting, now_ns, limit_ns_};
    return;
  }
  const std::int64_t running_ns = now_ns - seen.since_ns;
  if (running_ns < seen.next_report_ns) return;
  seen.next_report_ns = 2 * running_ns;  // said again, but ever less often
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", 1e-9 * static_cast<double>(running_ns));
  log_.rank(LogLevel::warn, subject_->describe(sighting->item) + " has been running for " +
                                seconds + " s on worker " + std::to_string(worker) +
                                "; what depends on it waits");
}

}  // namespace thalweg::flow
