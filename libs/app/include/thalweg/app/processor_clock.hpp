// SPDX-License-Identifier: MIT
#pragma once
#include <time.h>

#include <algorithm>
#include <cstdint>

#include <thalweg/core/clock.hpp>

namespace thalweg::app {

/// Processor time of the thread that reads it, without what reading it takes: what work takes on a
/// machine that others use, too.
/// @threads one
class ProcessorClock final : public Clock {
 public:
  ProcessorClock() {
    std::int64_t least_ns = read_ns();
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t before_ns = read_ns();
      least_ns = std::min(least_ns, read_ns() - before_ns);
    }
    cost_ns_ = least_ns;
  }

  std::int64_t now_ns() const override {
    now_ns_ = std::max(now_ns_, read_ns() - n_readings_++ * cost_ns_);
    return now_ns_;
  }

 private:
  static std::int64_t read_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
  }

  std::int64_t cost_ns_ = 0;  ///< of a reading
  mutable std::int64_t n_readings_ = 0;
  mutable std::int64_t now_ns_ = 0;
};

}  // namespace thalweg::app
