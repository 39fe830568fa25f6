// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <thread>

namespace thalweg::flow {

/// Order what this thread did before against what all other threads of the process do after, so
/// that they need no fence of their own. @return false where the system cannot
/// @source membarrier(2), MEMBARRIER_CMD_PRIVATE_EXPEDITED
bool fence_all_threads();
/// Whether it can; asked once a process, before.
bool can_fence_all_threads();

/// What orders threads where their operations do not: the system's fences, or a model checker's.
struct SystemFences {
  static void all_threads() { fence_all_threads(); }
  /// The compiler's order: the rest is lent by all_threads().
  static void lent() { std::atomic_signal_fence(std::memory_order_seq_cst); }
  static void yield() { std::this_thread::yield(); }
};

/// Lets an idle worker schedule, as a proxy, for a worker that is inside a body, at two stores and
/// a load for each body: a lock that is biased towards the owner of the queues.
///
/// The owner says that it is inside, and afterwards that it is not and looks whether there is a
/// proxy. A proxy says that it is there and then looks whether the owner is inside. Between these
/// on either side is a fence, that of the owner lent by the proxy: one of them sees the other.
/// @tparam Atomic, Fences the machine's, or a model checker's
template <template <class> class Atomic = std::atomic, class Fences = SystemFences>
class BasicProxyLock {
 public:
  // For the owner.
  /// Release: a proxy sees all that the owner did with its queues.
  void enter_body() { is_in_body_.store(true, std::memory_order_release); }
  /// The queues are the owner's again, who waits for a proxy to leave.
  void leave_body(bool needs_fence) {
    if (needs_fence) [[unlikely]] {
      is_in_body_.store(false, std::memory_order_seq_cst);
      while (has_proxy_.load(std::memory_order_seq_cst)) Fences::yield();
      return;
    }
    is_in_body_.store(false, std::memory_order_relaxed);  // nobody acts on it
    Fences::lent();
    // Acquire: the owner sees what a proxy did.
    while (has_proxy_.load(std::memory_order_acquire)) [[unlikely]]
      Fences::yield();
  }
  bool is_in_body() const { return is_in_body_.load(std::memory_order_relaxed); }

  // For others.
  /// Become the proxy, if the owner is inside a body and nobody else is.
  bool try_enter(bool needs_fence) {
    // Acquire: what the last proxy did. (ThreadSanitizer does not know what fences do.)
    if (is_taken_.exchange(true, std::memory_order_acquire)) return false;
    has_proxy_.store(true, std::memory_order_seq_cst);
    if (!needs_fence) Fences::all_threads();
    if (is_in_body_.load(std::memory_order_seq_cst)) return true;
    stop();
    return false;
  }
  void stop() {
    has_proxy_.store(false, std::memory_order_release);
    is_taken_.store(false, std::memory_order_release);
  }

 private:
  alignas(64) Atomic<bool> is_in_body_{false};
  alignas(64) Atomic<bool> has_proxy_{false};
  Atomic<bool> is_taken_{false};  ///< by one of those who would be the proxy
};

using ProxyLock = BasicProxyLock<>;

}  // namespace thalweg::flow
