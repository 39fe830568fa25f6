// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace thalweg::flow {

using Counter = std::atomic<std::uint32_t>;

/// Take one from a counter. @return whether nothing is left
///
/// Acquire and release: who takes the last one sees everything done by those who took one before.
/// With one worker there is nobody to race with, and no read-modify-write instruction.
template <bool shared>
bool count_down(Counter& counter) {
  if constexpr (shared) return counter.fetch_sub(1, std::memory_order_acq_rel) == 1;
  const std::uint32_t left = counter.load(std::memory_order_relaxed) - 1;
  counter.store(left, std::memory_order_relaxed);
  return left == 0;
}

/// An array of counters that only ever grows.
class Counters {
 public:
  void reserve(std::size_t n) {
    if (n <= n_) return;
    counters_ = std::make_unique<Counter[]>(n);
    n_ = n;
  }
  Counter& operator[](std::size_t i) { return counters_[i]; }

 private:
  std::unique_ptr<Counter[]> counters_;
  std::size_t n_ = 0;
};

}  // namespace thalweg::flow
