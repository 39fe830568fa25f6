// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace thalweg::flow::detail {

/// What a parker is made of: the machine's, or a test's, which decides who goes first.
struct ThreadSync {
  using Mutex = std::mutex;
  using Condition = std::condition_variable;
  using Flag = std::atomic<bool>;
};

/// Where an idle worker sleeps until it is wanted, but not longer than a limit.
///
/// No wake-up is lost if who wants the worker first says so and then calls unpark(), both in the
/// one order of sequentially consistent operations (on x86 a plain load, after the locked operation
/// that a mailbox push is anyway). The sleep is bounded all the same, for what is said with less:
/// a notification in a ring, where a fence for each would wait for what the ring lets travel
/// (spsc_ring.hpp), so that in some nanoseconds around the moment a worker parks it may go unheard
/// until the limit; and what others would like to give away without asking, as a deque that thieves
/// could empty.
/// @tparam Sync ThreadSync, or what a test puts in its place to interleave operations
template <class Sync = ThreadSync>
class BasicParker {
 public:
  /// Sleep; call is_wanted() last, after others can see that we are parked.
  /// @return whether the sleep lasted until the limit: nobody called
  template <class F>
  bool park(F is_wanted, std::chrono::nanoseconds limit) {
    std::unique_lock<typename Sync::Mutex> lock(mutex_);
    is_parked_.store(true, std::memory_order_seq_cst);
    const bool is_over = !is_wanted() && wake_.wait_for(lock, limit) == std::cv_status::timeout;
    is_parked_.store(false, std::memory_order_relaxed);
    return is_over;
  }
  /// Wake the worker if it sleeps. @return whether it did
  bool unpark() {
    if (!is_parked_.load(std::memory_order_seq_cst)) return false;
    // Taken, so that the notice cannot fall between its last look and its sleep.
    {
      const std::lock_guard<typename Sync::Mutex> lock(mutex_);
    }
    wake_.notify_one();
    return true;
  }

 private:
  typename Sync::Mutex mutex_;
  typename Sync::Condition wake_;
  typename Sync::Flag is_parked_{false};
};

using Parker = BasicParker<>;

}  // namespace thalweg::flow::detail
