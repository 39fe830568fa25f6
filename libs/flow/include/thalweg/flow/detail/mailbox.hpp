// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <span>

#include <thalweg/flow/detail/item.hpp>

namespace thalweg::flow::detail {

/// A stack that anyone may push on and anyone may take whole: never full, nothing to allocate.
///
/// Because items leave only all at once, the head that a push compares with cannot have been away
/// and come back with another chain below (no ABA problem).
/// @tparam Atomic, Cell std::atomic and what a link is kept in, or what a model checker puts there
/// @source Treiber, IBM RJ 5118, 1986
template <template <class> class Atomic = std::atomic, class Cell = Item>
class BasicMailbox {
 public:
  /// For every item, the one below it in the chain it is in. An item is in one chain at a time.
  using Links = std::span<Cell>;

  void push(Item item, Links links) {
    Item head = head_.load(std::memory_order_relaxed);
    do {
      links[item] = head;
      // Release: who takes the item sees its link, and all that made it ready. Later pushes are
      // read-modify-writes and so carry on the release of earlier ones. Sequentially consistent:
      // the owner either says that it is parked before we ask, or sees the item before it sleeps.
    } while (!head_.compare_exchange_weak(head, item, std::memory_order_seq_cst,
                                          std::memory_order_relaxed));
  }
  /// The chain of all items, latest first, or no_item.
  Item take_all() {
    if (is_empty()) return no_item;
    // Release: for BusyCount.
    return head_.exchange(no_item, std::memory_order_acq_rel);
  }
  /// @threads any; sequentially consistent: see push
  bool is_empty() const { return head_.load(std::memory_order_seq_cst) == no_item; }

 private:
  alignas(64) Atomic<Item> head_{no_item};
};

using Mailbox = BasicMailbox<>;
using Links = Mailbox::Links;

}  // namespace thalweg::flow::detail
