// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include <thalweg/flow/detail/item.hpp>

namespace thalweg::flow::detail {

/// A bounded work-stealing deque: its owner pushes and takes at the bottom, thieves steal at the
/// top.
///
/// Where the paper has sequentially consistent fences between the accesses to `bottom_` and `top_`,
/// the accesses themselves are sequentially consistent here: as strong, the same instruction on
/// x86, and understood by ThreadSanitizer. Bounded, because the caller has somewhere to spill.
/// @tparam Atomic std::atomic, or what a test puts in its place to interleave operations
/// @tparam n_slots its capacity, a power of two; a model checker's is small
/// @source Chase and Lev, SPAA 2005; Le, Pop, Cohen, Zappa Nardelli, PPoPP 2013, fig. 1
template <template <class> class Atomic = std::atomic, std::int64_t n_slots = 1024>
class BasicDeque {
 public:
  static constexpr std::int64_t capacity = n_slots;

  /// Put an item at the bottom, or say that there is no room. @threads the owner
  bool push(Item item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    // Acquire: a thief has read its slot before we overwrite it.
    if (b - top_.load(std::memory_order_acquire) >= capacity) return false;
    slot(b).store(item, std::memory_order_relaxed);
    // Release: a thief that sees the new bottom sees the item, and what its producer wrote.
    bottom_.store(b + 1, std::memory_order_release);
    return true;
  }

  /// Take the item at the bottom, or no_item. @threads the owner
  Item take() {
    std::int64_t b = bottom_.load(std::memory_order_relaxed);
    // Only we move the bottom and the top only grows: empty now is empty.
    if (b <= top_.load(std::memory_order_relaxed)) return no_item;
    --b;
    // Of this store and a thief's load of bottom_, and of our load and its store of top_, one pair
    // is seen in the single total order: never do both of us take the last item unknowingly.
    bottom_.store(b, std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t < b) return slot(b).load(std::memory_order_relaxed);
    Item item = no_item;
    if (t == b) {
      item = slot(b).load(std::memory_order_relaxed);
      // The last one: whoever moves the top has it. Release: for is_empty(). A thief that sees the
      // new top sees how far down the bottom has been through our load of the old one, which comes
      // between the two in the total order.
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_release,
                                        std::memory_order_relaxed))
        item = no_item;
    }
    bottom_.store(b + 1, std::memory_order_relaxed);
    return item;
  }

  /// Take the item at the top, or no_item where there is none or another thief was faster.
  Item steal() {
    // As strong as the exchange that it may see the result of: otherwise C++20 does not promise
    // that the load of the bottom comes after what that exchange came after ([atomics.order] 4).
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    // Also acquires what push released.
    const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
    if (t >= b) return no_item;
    // Read before the exchange: afterwards the owner may overwrite it.
    const Item item = slot(t).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
      return no_item;
    return item;
  }

  /// Whether it looked empty. Acquire: whoever sees that an item is gone sees what the one who has
  /// it said before.
  bool is_empty() const {
    return top_.load(std::memory_order_acquire) >= bottom_.load(std::memory_order_acquire);
  }

 private:
  Atomic<Item>& slot(std::int64_t i) {
    return items_[static_cast<std::size_t>(i & (capacity - 1))];
  }

  alignas(64) Atomic<std::int64_t> top_{0};
  alignas(64) Atomic<std::int64_t> bottom_{0};
  std::array<Atomic<Item>, static_cast<std::size_t>(capacity)> items_{};
};

using Deque = BasicDeque<>;

}  // namespace thalweg::flow::detail
