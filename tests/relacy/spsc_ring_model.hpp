// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/spsc_ring.hpp>

#include <array>

#include "model.hpp"

namespace thalweg::testing::spsc_ring_model {

using SpscRing = flow::detail::BasicSpscRing<ModelAtomic>;

/// A sender writes something, then sends its number: who receives it sees what was written.
struct CarriesWhatWasWritten : rl::test_suite<CarriesWhatWasWritten, 2> {
  static constexpr std::uint32_t n_numbers = 3;
  Aligned<SpscRing> ring;
  std::array<ModelVar<int>, n_numbers> payload;
  std::uint32_t n_had = 0;

  void before() { ring->reset(n_numbers); }
  void thread(unsigned index) {
    if (index == 0) {
      for (std::uint32_t i = 0; i < n_numbers; ++i) {
        payload[i] = static_cast<int>(i) + 1;
        ring->send(i);
      }
    } else {
      receive();
      receive();
    }
  }
  void after() {
    receive();
    RL_ASSERT(n_had == n_numbers);
  }
  void receive() {
    ring->receive([&](std::uint32_t number) {
      RL_ASSERT(number == n_had++);
      RL_ASSERT(payload[number] == static_cast<int>(number) + 1);
    });
  }
};

/// One worker sends to a second, which sends on to a third; a fourth looks whether anything is
/// under way, first there and then further on. It must not see both pipes empty: what has left the
/// first one is in the second.
struct NothingIsOverlooked : rl::test_suite<NothingIsOverlooked, 3> {
  Aligned<SpscRing> first;
  Aligned<SpscRing> second;
  ModelAtomic<bool> has_begun{false};

  void before() {
    first->reset(1);
    second->reset(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      first->send(7);
      has_begun.store(true, std::memory_order_release);
    } else if (index == 1) {
      first->receive([&](std::uint32_t number) { second->send(number); });
    } else if (has_begun.load(std::memory_order_acquire)) {
      RL_ASSERT(!first->is_empty() || !second->is_empty());
    }
  }
};

}  // namespace thalweg::testing::spsc_ring_model
