// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/deque.hpp>
#include <thalweg/flow/detail/mailbox.hpp>

namespace thalweg::flow::detail {

/// The ready items of one worker and one urgency.
///
/// The owner works on the deque. What other workers send waits in the mailbox; what the deque has
/// no room for waits in the chain, which only the owner sees. `shared` is whether there are other
/// workers at all: without them everything is a plain stack in the chain.
template <bool shared>
class ReadyQueue {
 public:
  /// @threads the owner
  void push(Item item, Links links) {
    if constexpr (shared)
      if (deque_.push(item)) return;
    links[item] = chain_;
    chain_ = item;
  }
  /// Take the item pushed last, else all that is in the mailbox. @threads the owner
  Item pop(Links links) {
    if constexpr (shared) {
      const Item item = deque_.take();
      if (item != no_item) return item;
      if (chain_ == no_item) chain_ = mailbox_.take_all();
      return refill(links);
    } else {
      const Item item = chain_;
      if (item != no_item) chain_ = links[item];
      return item;
    }
  }
  /// Send an item to the owner. @threads any
  void mail(Item item, Links links) { mailbox_.push(item, links); }
  /// Take an item from another worker's queue; what else was in its mailbox goes to ours.
  Item steal_from(ReadyQueue& victim, Links links) {
    const Item item = victim.deque_.steal();
    if (item != no_item) return item;
    chain_ = victim.mailbox_.take_all();
    return refill(links);
  }
  /// Whether it looked empty to others. @threads any
  bool looks_empty() const { return deque_.is_empty() && mailbox_.is_empty(); }
  void clear() {
    while (deque_.take() != no_item) {
    }
    mailbox_.take_all();
    chain_ = no_item;
  }

 private:
  /// Let others see some of the chain, and take one. @pre the deque is empty
  ///
  /// The chain has the latest first, so the earliest of these comes to lie at the bottom.
  Item refill(Links links) {
    for (int i = 0; chain_ != no_item && i < n_refill; ++i) {
      const Item item = chain_;
      chain_ = links[item];
      deque_.push(item);
    }
    return deque_.take();
  }

  static constexpr int n_refill = 256;  // of the deque's 1024: leaves room for what these release
  Deque deque_;
  Mailbox mailbox_;
  Item chain_ = no_item;
};

}  // namespace thalweg::flow::detail
