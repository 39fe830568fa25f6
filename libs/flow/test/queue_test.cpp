// SPDX-License-Identifier: MIT
// detail/deque.hpp, detail/mailbox.hpp, detail/spsc_ring.hpp and detail/ready_queue.hpp.
#include <thalweg/flow/detail/ready_queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <thalweg/flow/detail/deque.hpp>
#include <thalweg/flow/detail/spsc_ring.hpp>

namespace thalweg::flow::detail {
namespace {

TEST(Deque, owner_takes_the_last_and_thief_the_first) {
  Deque deque;
  for (Item i = 0; i < 3; ++i) EXPECT_TRUE(deque.push(i));

  EXPECT_EQ(deque.take(), 2u);
  EXPECT_EQ(deque.steal(), 0u);
  EXPECT_EQ(deque.take(), 1u);
  EXPECT_EQ(deque.take(), no_item);
  EXPECT_EQ(deque.steal(), no_item);
}

TEST(Deque, full_refuses_and_goes_round) {
  Deque deque;
  for (int round = 0; round < 3; ++round) {
    for (Item i = 0; i < Deque::capacity; ++i) ASSERT_TRUE(deque.push(i));
    EXPECT_FALSE(deque.push(0));
    for (Item i = 0; i < 500; ++i) ASSERT_EQ(deque.steal(), i);
    for (Item i = Deque::capacity; i-- > 500;) ASSERT_EQ(deque.take(), i);
  }
}

/// Says which of two threads does the next operation on a ScriptedAtomic.
class Script {
 public:
  explicit Script(std::vector<int> turns) : turns_(std::move(turns)) {}

  /// Do an operation when it is the thread's turn; the end of the script is for whoever comes.
  template <class F>
  auto step(int thread, F operation) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return is_over_[1 - thread] || at_ >= turns_.size() || turns_[at_] == thread;
    });
    ++at_;
    changed_.notify_all();
    return operation();
  }
  void finish(int thread) {
    const std::lock_guard lock(mutex_);
    is_over_[thread] = true;
    changed_.notify_all();
  }

 private:
  std::vector<int> turns_;
  std::size_t at_ = 0;
  bool is_over_[2] = {false, false};
  std::mutex mutex_;
  std::condition_variable changed_;
};
thread_local Script* script = nullptr;
thread_local int script_thread = 0;

/// An atomic whose operations happen one after another as a script says.
template <class T>
class ScriptedAtomic {
 public:
  ScriptedAtomic(T value = {}) : value_(value) {}
  T load(std::memory_order) const {
    return step([&] { return value_; });
  }
  void store(T value, std::memory_order) {
    step([&] { return value_ = value; });
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
    return step([&] {
      const bool is_equal = value_ == expected;
      (is_equal ? value_ : expected) = is_equal ? desired : value_;
      return is_equal;
    });
  }

 private:
  template <class F>
  static auto step(F operation) {
    return script == nullptr ? operation() : script->step(script_thread, operation);
  }
  T value_;
};

TEST(Deque, every_item_is_had_once_however_take_and_steal_interleave) {
  constexpr unsigned n_operations = 10;  // six of take, four of steal: all orders of them
  for (const Item n_items : {1u, 2u})
    for (unsigned mask = 0; mask < 1u << n_operations; ++mask) {
      if (std::popcount(mask) != 4) continue;
      BasicDeque<ScriptedAtomic> deque;
      for (Item i = 0; i < n_items; ++i) deque.push(i);
      std::vector<int> turns;
      for (unsigned i = 0; i < n_operations; ++i) turns.push_back(mask >> i & 1 ? 1 : 0);
      Script order(turns);
      Item had[2];
      std::thread thief([&] {
        script = &order;
        script_thread = 1;
        had[1] = deque.steal();
        order.finish(1);
      });
      script = &order;
      script_thread = 0;
      had[0] = deque.take();
      order.finish(0);
      thief.join();
      script = nullptr;

      std::vector<int> n_had(n_items, 0);
      for (const Item item : {had[0], had[1], deque.take(), deque.take()})
        if (item != no_item) ++n_had[item];
      EXPECT_EQ(n_had, std::vector<int>(n_items, 1)) << n_items << " items, order " << mask;
    }
}

TEST(Deque, every_item_is_had_once_whoever_is_faster) {
  constexpr Item n = 200'000;
  Deque deque;
  std::vector<std::atomic<int>> n_had(n);
  std::atomic<bool> is_over{false};
  const auto have = [&](Item item) {
    if (item != no_item) n_had[item].fetch_add(1);
  };
  std::vector<std::thread> thieves;
  for (int t = 0; t < 2; ++t)
    thieves.emplace_back([&] {
      while (!is_over) have(deque.steal());
    });

  for (Item i = 0; i < n; ++i) {
    while (!deque.push(i)) have(deque.take());
    // Half of the time there is one item only, for which owner and thieves race.
    if (i < n / 2 || i % 3 == 0) have(deque.take());
  }
  while (!deque.is_empty()) have(deque.take());
  is_over = true;
  for (std::thread& t : thieves) t.join();

  for (Item i = 0; i < n; ++i) ASSERT_EQ(n_had[i].load(), 1) << i;
}

TEST(Mailbox, is_taken_whole_latest_first) {
  std::vector<Item> links(10);
  Mailbox mailbox;
  for (const Item i : {4u, 2u, 7u}) mailbox.push(i, links);

  const Item first = mailbox.take_all();

  EXPECT_EQ(first, 7u);
  EXPECT_EQ(links[7], 2u);
  EXPECT_EQ(links[2], 4u);
  EXPECT_EQ(links[4], no_item);
  EXPECT_TRUE(mailbox.is_empty());
  EXPECT_EQ(mailbox.take_all(), no_item);
}

TEST(Mailbox, loses_nothing_between_many_senders_and_takers) {
  constexpr Item n_each = 20'000;
  std::vector<Item> links(2 * n_each);
  std::vector<int> payload(2 * n_each, 0);  // plain: seen only if the mailbox synchronises
  std::vector<std::atomic<int>> n_had(2 * n_each);
  std::atomic<Item> n_left{2 * n_each};
  Mailbox mailbox;
  std::vector<std::thread> threads;
  for (Item s = 0; s < 2; ++s)
    threads.emplace_back([&, s] {
      for (Item i = s * n_each; i < (s + 1) * n_each; ++i) {
        payload[i] = static_cast<int>(i);
        mailbox.push(i, links);
      }
    });
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (n_left > 0)
        for (Item i = mailbox.take_all(); i != no_item; i = links[i]) {
          EXPECT_EQ(payload[i], static_cast<int>(i));
          n_had[i].fetch_add(1);
          --n_left;
        }
    });
  for (std::thread& t : threads) t.join();

  for (const auto& n : n_had) ASSERT_EQ(n.load(), 1);
}

TEST(ReadyStack, gives_the_last_or_the_first_and_goes_round) {
  ReadyStack row;
  row.reset(5);
  for (Item round = 0; round < 10; ++round) {
    for (Item i = 0; i < 5; ++i) row.push(10 * round + i);
    EXPECT_EQ(row.pop_last(), 10 * round + 4);
    EXPECT_EQ(row.pop_first(), 10 * round);
    EXPECT_EQ(row.size(), 3u);
    for (Item i = 3; i > 0; --i) EXPECT_EQ(row.pop_last(), 10 * round + i);
    EXPECT_TRUE(row.is_empty());
  }
}

TEST(ReadyByPriority, give_the_last_of_the_highest_or_the_lowest) {
  std::vector<Item> links(1000);
  ReadyByPriority levels;
  levels.reset(200);
  for (const auto& [level, item] : {std::pair{3u, 1u}, {150u, 2u}, {3u, 3u}, {64u, 4u}})
    levels.push(level, item, links);

  EXPECT_EQ(levels.pop_highest(151, links), no_item);
  EXPECT_EQ(levels.pop_highest(150, links), 2u);
  EXPECT_EQ(levels.pop_lowest(3, links), no_item);
  EXPECT_EQ(levels.pop_lowest(4, links), 3u);
  EXPECT_EQ(levels.pop_highest(0, links), 4u);
  EXPECT_EQ(levels.pop_highest(0, links), 1u);
  EXPECT_EQ(levels.pop_highest(0, links), no_item);
  EXPECT_EQ(levels.size(), 0u);
}

TEST(SpscRing, carries_what_is_sent_in_order_and_all_before_it) {
  constexpr std::uint32_t n = 50'000, n_places = 64;
  std::vector<int> payload(n, 0);  // plain: seen only if the pipe synchronises
  std::atomic<std::uint32_t> n_had{0};
  SpscRing ring;
  ring.reset(n_places);
  std::thread sender([&] {
    for (std::uint32_t i = 0; i < n; ++i) {
      while (i - n_had.load() >= n_places) std::this_thread::yield();
      payload[i] = static_cast<int>(i);
      ring.send(i);
    }
  });

  for (std::uint32_t next = 0; next < n;)
    ring.receive([&](std::uint32_t i) {
      EXPECT_EQ(i, next);
      EXPECT_EQ(payload[i], static_cast<int>(i));
      n_had.store(++next);
    });
  sender.join();

  EXPECT_TRUE(ring.is_empty());
  EXPECT_FALSE(ring.receive([](std::uint32_t) {}));
}

}  // namespace
}  // namespace thalweg::flow::detail
