// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <span>

#include <thalweg/flow/detail/item.hpp>

namespace thalweg::flow::detail {

/// For every item, the one below it in the chain it is in. An item is in one chain at a time.
using Links = std::span<Item>;

/// A stack that anyone may push on and anyone may take whole: never full, nothing to allocate.
///
/// Because items leave only all at once, the head that a push compares with cannot have been away
/// and come back with another chain below (no ABA problem).
/// @source Treiber, IBM RJ 5118, 1986
class Mailbox {
 public:
  void push(Item item, Links links) {
    Item head = head_.load(std::memory_order_relaxed);
    do {
      links[item] = head;
      // Release: who takes the item sees its link, and all that made it ready. Later pushes are
      // read-modify-writes and so carry on the release of earlier ones.
    } while (!head_.compare_exchange_weak(head, item, std::memory_order_release,
                                          std::memory_order_relaxed));
  }
  /// The chain of all items, latest first, or no_item.
  Item take_all() {
    if (is_empty()) return no_item;
    return head_.exchange(no_item, std::memory_order_acquire);
  }
  bool is_empty() const { return head_.load(std::memory_order_relaxed) == no_item; }

 private:
  alignas(64) std::atomic<Item> head_{no_item};
};

}  // namespace thalweg::flow::detail
