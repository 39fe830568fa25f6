// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/mailbox.hpp>

#include <array>

#include "../../libs/flow/src/busy_count.hpp"
#include "model.hpp"

namespace thalweg::testing::busy_count_model {

/// There is always something: to be posted, or in flight. Who looks at one after the other, while
/// another posts, must not believe that there is neither.
struct SomethingIsSeen : rl::test_suite<SomethingIsSeen, 2> {
  Aligned<flow::BasicBusyCount<ModelAtomic>> busy;
  Aligned<flow::detail::BasicMailbox<ModelAtomic, ModelVar<flow::detail::Item>>> to_be_posted;
  std::array<ModelVar<flow::detail::Item>, 1> links;
  ModelAtomic<bool> is_in_flight{false};

  void before() { to_be_posted->push(0, links); }
  void thread(unsigned index) {
    if (index == 0) {
      busy->begin();
      to_be_posted->take_all();
      is_in_flight.store(true, std::memory_order_relaxed);
      busy->end();
      return;
    }
    const auto n_before = busy->n_changes_if_idle();
    const bool is_anything_there =
        is_in_flight.load(std::memory_order_relaxed) || !to_be_posted->is_empty();
    const bool was_idle = n_before && busy->n_changes_if_idle() == n_before;
    RL_ASSERT(is_anything_there || !was_idle);
  }
};

}  // namespace thalweg::testing::busy_count_model
