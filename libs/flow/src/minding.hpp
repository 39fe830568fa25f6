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

/// What orders threads where their operations do not: the machine's fences, or a model checker's.
struct MachineFences {
  static void all_threads() { fence_all_threads(); }
  /// The compiler's order: the rest is lent by all_threads().
  static void lent() { std::atomic_signal_fence(std::memory_order_seq_cst); }
  static void yield() { std::this_thread::yield(); }
};

/// Lets an idle worker look after a home whose own worker is inside a body, at two stores and a
/// load for each body: a lock that is biased towards the owner.
///
/// The owner says that it is inside, and afterwards that it is not and looks whether somebody minds
/// the home. A minder says that it minds and then looks whether the owner is inside. Between these
/// on either side is a fence, that of the owner lent by the minder: one of them sees the other.
/// @tparam Atomic, Fences the machine's, or a model checker's
template <template <class> class Atomic = std::atomic, class Fences = MachineFences>
class BasicMinding {
 public:
  // For the owner.
  /// Release: whoever minds the home sees all that the owner did with it.
  void enter_body() { is_in_body_.store(true, std::memory_order_release); }
  /// The home is the owner's again, who waits for a minder to leave.
  void leave_body(bool needs_fence) {
    if (needs_fence) [[unlikely]] {
      is_in_body_.store(false, std::memory_order_seq_cst);
      while (is_minded_.load(std::memory_order_seq_cst)) Fences::yield();
      return;
    }
    is_in_body_.store(false, std::memory_order_relaxed);  // nobody acts on it
    Fences::lent();
    // Acquire: the owner sees what a minder did.
    while (is_minded_.load(std::memory_order_acquire)) [[unlikely]]
      Fences::yield();
  }
  bool is_in_body() const { return is_in_body_.load(std::memory_order_relaxed); }

  // For others.
  /// Mind the home, if its owner is inside a body and nobody else does.
  bool try_mind(bool needs_fence) {
    // Acquire: what the last one who minded it did. (ThreadSanitizer does not know what fences do.)
    if (is_taken_.exchange(true, std::memory_order_acquire)) return false;
    is_minded_.store(true, std::memory_order_seq_cst);
    if (!needs_fence) Fences::all_threads();
    if (is_in_body_.load(std::memory_order_seq_cst)) return true;
    stop();
    return false;
  }
  void stop() {
    is_minded_.store(false, std::memory_order_release);
    is_taken_.store(false, std::memory_order_release);
  }

 private:
  alignas(64) Atomic<bool> is_in_body_{false};
  alignas(64) Atomic<bool> is_minded_{false};
  Atomic<bool> is_taken_{false};  ///< by one of those who would mind it
};

using Minding = BasicMinding<>;

}  // namespace thalweg::flow
