// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/clock.hpp>

namespace thalweg::flow {

/// Moments in ticks: the processor's time-stamp counter where it may stand for the machine's clock,
/// as it costs a third of a look at that; else the nanoseconds of the clock given.
class Ticks {
 public:
  explicit Ticks(const Clock& clock);

  /// Whether to use the counter from now on, where it can be.
  void use_counter(bool is_wanted) { is_counter_ = is_wanted && has_counter_; }

  std::int64_t now() const { return is_counter_ ? read_counter() : clock_.now_ns(); }
  std::int64_t now_ns() const { return clock_.now_ns(); }
  bool is_counter() const { return is_counter_; }
  /// What a look at the counter takes, in ticks, at least 1; 0 where the clock is looked at.
  std::int64_t look_ticks() const { return is_counter_ ? look_ticks_ : 0; }

 private:
  static std::int64_t read_counter();

  const Clock& clock_;
  bool has_counter_;
  bool is_counter_;
  std::int64_t look_ticks_ = 1;
};

#if defined(__x86_64__)
inline std::int64_t Ticks::read_counter() {
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
}
#else
inline std::int64_t Ticks::read_counter() {
  return 0;
}
#endif

}  // namespace thalweg::flow
