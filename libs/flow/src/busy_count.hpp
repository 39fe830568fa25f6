// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>

namespace thalweg::flow {

/// Whether a thread is busy, and how often that has changed: for another one to tell that it was
/// idle all the time while its state was looked at, piece by piece.
///
/// Who sees anything that a busy thread has published (release) also sees that it has been busy.
/// @tparam Atomic  the machine's, or a model checker's
template <template <class> class Atomic = std::atomic>
class BasicBusyCount {
 public:
  // For the thread itself, in turn.
  void begin() { n_changes_.store(++n_, std::memory_order_relaxed); }
  /// Release: who sees it idle sees what it did.
  void end() { n_changes_.store(++n_, std::memory_order_release); }

  // For others.
  /// How often it has changed, if it is idle: where that is the same again it was idle in between.
  std::optional<std::uint64_t> n_changes_if_idle() const {
    const std::uint64_t n = n_changes_.load(std::memory_order_acquire);
    return n % 2 == 0 ? std::optional(n) : std::nullopt;
  }

 private:
  std::uint64_t n_ = 0;  ///< odd while it is busy
  Atomic<std::uint64_t> n_changes_{0};
};

using BusyCount = BasicBusyCount<>;

}  // namespace thalweg::flow
