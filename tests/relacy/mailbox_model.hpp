// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/mailbox.hpp>

#include <array>

#include "model.hpp"

namespace thalweg::testing::mailbox_model {

using flow::detail::Item;
using flow::detail::no_item;
using Cell = ModelVar<Item>;

/// Two senders, and two takers who take whatever is there.
struct ManySendersAndTakers : rl::test_suite<ManySendersAndTakers, 4> {
  static constexpr Item n_items = 3;
  Aligned<flow::detail::BasicMailbox<ModelAtomic, Cell>> mailbox;
  std::array<Cell, n_items> links;
  std::array<ModelVar<int>, n_items> payload;
  std::array<int, n_items> n_had{};

  void thread(unsigned index) {
    if (index == 0) {
      send(0);
      send(1);
    } else if (index == 1) {
      send(2);
    } else {
      have(mailbox->take_all());
      have(mailbox->take_all());
    }
  }
  void after() {
    have(mailbox->take_all());
    for (const int n : n_had) RL_ASSERT(n == 1);
  }
  void send(Item item) {
    payload[item] = static_cast<int>(item) + 1;
    mailbox->push(item, links);
  }
  void have(Item first) {
    for (Item item = first; item != no_item; item = links[item]) {
      RL_ASSERT(payload[item] == static_cast<int>(item) + 1);
      ++n_had[item];
    }
  }
};

}  // namespace thalweg::testing::mailbox_model
