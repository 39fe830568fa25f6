// SPDX-License-Identifier: MIT
#pragma once
#include "../../libs/flow/src/busy_count.hpp"
#include "model.hpp"

namespace thalweg::testing::busy_count_model {

/// There is always something: to be posted, or in flight. Who looks at one after the other, while
/// another posts, must not believe that there is neither. What ends is said by a release.
struct SomethingIsSeen : rl::test_suite<SomethingIsSeen, 2> {
  Aligned<flow::BasicBusyCount<ModelAtomic>> busy;
  ModelAtomic<bool> is_in_flight{false}, is_to_be_posted{true};

  void thread(unsigned index) {
    if (index == 0) {
      busy->begin();
      is_to_be_posted.store(false, std::memory_order_release);
      is_in_flight.store(true, std::memory_order_relaxed);
      busy->end();
      return;
    }
    const auto n_before = busy->n_changes_if_idle();
    const bool is_anything_there = is_in_flight.load(std::memory_order_relaxed) ||
                                   is_to_be_posted.load(std::memory_order_acquire);
    const bool was_idle = n_before && busy->n_changes_if_idle() == n_before;
    RL_ASSERT(is_anything_there || !was_idle);
  }
};

}  // namespace thalweg::testing::busy_count_model
