// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <thalweg/core/contract.hpp>

namespace thalweg::flow::detail {

/// Numbers on their way from one worker to one other: a ring that its owner makes large enough.
///
/// Nothing is exchanged or compared: a sender's store may travel while the sender goes on, which a
/// read-modify-write of a line that the other core holds may not (174 ns one way, measured).
/// @tparam Atomic std::atomic, or what a test puts in its place to interleave operations
template <template <class> class Atomic = std::atomic>
class BasicSpscRing {
 public:
  /// Empty it, with room for so many. @threads one, with nobody at either end
  void reset(std::size_t n_places) {
    const std::size_t n = std::bit_ceil(n_places);
    if (n > n_places_) {
      places_ = std::make_unique<Atomic<std::uint32_t>[]>(n);
      n_places_ = n;
    }
    clear();
  }
  /// Empty it. @threads one, with nobody at either end
  void clear() {
    n_sent_.store(0, std::memory_order_relaxed);
    n_received_.store(0, std::memory_order_relaxed);
  }
  /// @threads the sender @pre fewer are under way than there is room for
  void send(std::uint32_t number) {
    const std::uint32_t n = n_sent_.load(std::memory_order_relaxed);
    places_[n & (n_places_ - 1)].store(number, std::memory_order_relaxed);
    // Release: who sees it counted sees it, and all that the sender did before.
    n_sent_.store(n + 1, std::memory_order_release);
  }
  /// Call f(number) for all that have arrived. @threads the receiver @return whether any had
  template <class F>
  bool receive(F f) {
    std::uint32_t n = n_received_.load(std::memory_order_relaxed);
    const std::uint32_t n_sent = n_sent_.load(std::memory_order_acquire);
    if (n == n_sent) return false;
    for (; n != n_sent; ++n) f(places_[n & (n_places_ - 1)].load(std::memory_order_relaxed));
    // Afterwards, and seen by those who look whether anything is under way. The places need no
    // release: what is sent next answers, by way of others, to what was received here.
    n_received_.store(n, std::memory_order_release);
    return true;
  }
  /// Whether it looked empty. Acquire: who sees that something was received sees what its receiver
  /// has made of it. @threads any
  bool is_empty() const {
    return n_received_.load(std::memory_order_acquire) == n_sent_.load(std::memory_order_relaxed);
  }

 private:
  std::size_t n_places_ = 0;
  std::unique_ptr<Atomic<std::uint32_t>[]> places_;
  alignas(64) Atomic<std::uint32_t> n_sent_{0};
  alignas(64) Atomic<std::uint32_t> n_received_{0};
};

using SpscRing = BasicSpscRing<>;

}  // namespace thalweg::flow::detail
