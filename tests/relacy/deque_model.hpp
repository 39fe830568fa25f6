// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/deque.hpp>

#include <array>

#include "../../libs/flow/src/busy_count.hpp"
#include "model.hpp"

namespace thalweg::testing::deque_model {

using flow::detail::Item;
using flow::detail::no_item;

inline constexpr std::size_t n_threads = 3;

inline std::size_t this_thread() {
  return static_cast<std::size_t>(rl::ctx().threadx_->index_);
}

/// A slot of the deque, which also checks what Relacy cannot play: Relacy runs one operation after
/// another, so no load sees what is stored later. But a machine may let a thief's load of a slot
/// take place after the owner's next store to it, unless acquire and release put the store after
/// the load.
class Slot : public ModelAtomic<Item> {
 public:
  Item load(std::memory_order order, Where where = Where::current()) const {
    const Item item = ModelAtomic::load(order, where);
    last_loaded[this_thread()] = this;
    loads_[this_thread()].at = rl::ctx().threadx_->own_acq_rel_order_;
    return item;
  }
  void store(Item item, std::memory_order order, Where where = Where::current()) {
    const rl::timestamp_t* const seen = rl::ctx().threadx_->acq_rel_order_;
    for (std::size_t t = 0; t < n_threads; ++t)
      RL_ASSERT(!loads_[t].counts || seen[t] >= loads_[t].at);
    ModelAtomic::store(item, order, where);
  }
  /// What this thread loaded last from a slot is what it has taken.
  static void count_load() {
    if (const Slot* const slot = last_loaded[this_thread()]; slot != nullptr)
      slot->loads_[this_thread()].counts = true;
  }

  static inline std::array<const Slot*, n_threads> last_loaded{};

 private:
  struct Load {
    rl::timestamp_t at = 0;
    bool counts = false;
  };
  mutable std::array<Load, n_threads> loads_{};
};

/// The top or bottom of the deque, which plays the weakest that C++20 allows: Relacy has all
/// sequentially consistent operations in the order they run. But through what another thread did a
/// load has a place in that order only if the load that learnt of it has one too
/// ([atomics.order] 4, P0668). So after a weaker load it is played as one that acquires.
class Bound : public ModelAtomic<std::int64_t> {
 public:
  using ModelAtomic::ModelAtomic;

  std::int64_t load(std::memory_order order, Where where = Where::current()) const {
    rl::memory_order played = weakened(Operation::load, order, where);
    bool& has_learnt = has_learnt_weakly[this_thread()];
    if (played == rl::mo_seq_cst && has_learnt) played = rl::mo_acquire;
    has_learnt = played != rl::mo_seq_cst;
    return play_load(played, where);
  }
  void store(std::int64_t value, std::memory_order order, Where where = Where::current()) {
    ModelAtomic::store(value, order, where);
    if (order == std::memory_order_seq_cst) has_learnt_weakly[this_thread()] = false;
  }
  bool compare_exchange_strong(std::int64_t& expected, std::int64_t desired,
                               std::memory_order success, std::memory_order failure,
                               Where where = Where::current()) {
    const bool has_moved =
        ModelAtomic::compare_exchange_strong(expected, desired, success, failure, where);
    if (has_moved) Slot::count_load();
    return has_moved;
  }

  static inline std::array<bool, n_threads> has_learnt_weakly{};
};

template <class T>
struct Part {
  using type = Bound;
};
template <>
struct Part<Item> {
  using type = Slot;
};
template <class T>
using DequeAtomic = typename Part<T>::type;

/// What the models below have in common: who pushes an item has written its payload.
struct Items {
  static constexpr Item n_items = 4;
  Aligned<flow::detail::BasicDeque<DequeAtomic, 2>> deque;
  std::array<ModelVar<int>, n_items> payload;
  std::array<int, n_items> n_had{};
  std::array<bool, n_items> is_pushed{};

  Items() {
    Slot::last_loaded.fill(nullptr);
    Bound::has_learnt_weakly.fill(false);
  }
  void push(Item item) {
    payload[item] = static_cast<int>(item) + 1;
    is_pushed[item] = deque->push(item);
  }
  bool have(Item item) {
    if (item == no_item) return false;
    RL_ASSERT(payload[item] == static_cast<int>(item) + 1);
    ++n_had[item];
    return true;
  }
  void check_all_are_had_once() {
    while (have(deque->take())) {
    }
    for (Item i = 0; i < n_items; ++i) RL_ASSERT(n_had[i] == (is_pushed[i] ? 1 : 0));
  }
};

/// The owner pushes and takes; two thieves steal. Items are few, so all race for the last one.
struct RaceForTheLast : rl::test_suite<RaceForTheLast, n_threads>, Items {
  void thread(unsigned index) {
    if (index == 0) {
      push(0);
      push(1);
      have(deque->take());
      have(deque->take());
      push(2);
      have(deque->take());
    } else {
      have(deque->steal());
      if (index == 1) have(deque->steal());
    }
  }
  void after() { check_all_are_had_once(); }
};

/// More items than slots: the owner goes round and uses slots again that thieves have emptied.
struct GoesRound : rl::test_suite<GoesRound, n_threads>, Items {
  void thread(unsigned index) {
    if (index == 0) {
      for (Item i = 0; i < n_items; ++i) push(i);
      have(deque->take());
    } else {
      have(deque->steal());
      have(deque->steal());
    }
  }
  void after() { check_all_are_had_once(); }
};

enum class Taker { owner, thief };

/// Somebody looks whether there is anything to do (engine_stuck.hpp): an item that was there is
/// there still, or who has it has said before that it is busy.
template <Taker taker>
struct TakerIsNotOverlooked : rl::test_suite<TakerIsNotOverlooked<taker>, n_threads>, Items {
  flow::BasicBusyCount<ModelAtomic> busy;

  void before() { push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      busy.begin();
      have(taker == Taker::owner ? deque->take() : deque->steal());
    } else if (index == 1) {
      const auto n_before = busy.n_changes_if_idle();
      const bool is_there = !deque->is_empty();
      RL_ASSERT(is_there || !n_before || busy.n_changes_if_idle() != n_before);
    }
  }
};

}  // namespace thalweg::testing::deque_model
