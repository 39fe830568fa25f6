// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace thalweg::flow::detail {

/// Lets another thread have the core.
struct ThreadYield {
  void operator()() const { std::this_thread::yield(); }
};

/// Who is inside the transport: one thread at a time. Tasks wait for their turn; workers and
/// threads that poll let them go first, and have better things to do than wait.
/// @tparam Atomic, Yield the machine's, or a model checker's
template <template <class> class Atomic = std::atomic, class Yield = ThreadYield>
class BasicTransportLock {
 public:
  /// Go in unless somebody is there or waits. Acquire and release: what the transport wrote for one
  /// holder, the next one sees.
  bool try_lock() {
    return n_waiting_.load(std::memory_order_relaxed) == 0 &&
           !is_taken_.load(std::memory_order_relaxed) &&
           !is_taken_.exchange(true, std::memory_order_acquire);
  }
  void lock() {
    n_waiting_.fetch_add(1, std::memory_order_relaxed);
    while (is_taken_.exchange(true, std::memory_order_acquire)) Yield{}();
    n_waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void unlock() { is_taken_.store(false, std::memory_order_release); }

 private:
  Atomic<bool> is_taken_{false};
  Atomic<std::uint32_t> n_waiting_{0};  ///< tasks
};

using TransportLock = BasicTransportLock<>;

}  // namespace thalweg::flow::detail
