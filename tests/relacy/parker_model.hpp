// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/mailbox.hpp>
#include <thalweg/flow/detail/parker.hpp>

#include <array>

#include "model.hpp"

namespace thalweg::testing::parker_model {

using flow::detail::Item;
using flow::detail::no_item;
using Cell = ModelVar<Item>;

/// Two workers send an item each to a third, who sleeps whenever there is none. Its sleep has no
/// end of its own here: a wake-up that is lost is a deadlock.
struct SleeperGetsItsMail : rl::test_suite<SleeperGetsItsMail, 3> {
  Aligned<flow::detail::BasicMailbox<ModelAtomic, Cell>> mailbox;
  flow::detail::BasicParker<ModelSync> parker;
  std::array<Cell, 2> links;

  void thread(unsigned index) {
    if (index < 2) {
      mailbox->push(index, links);
      parker.unpark();
      return;
    }
    for (int n_had = 0; n_had < 2;) {
      for (Item item = mailbox->take_all(); item != no_item; item = links[item]) ++n_had;
      if (n_had < 2) parker.park([&] { return !mailbox->is_empty(); }, {});
    }
  }
};

}  // namespace thalweg::testing::parker_model
