// SPDX-License-Identifier: MIT
// A long task on one worker does not hold back what others could run.
#include "../src/proxy_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <thalweg/flow/coroutine.hpp>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

/// Wait for a flag, but not for ever. @return whether it came
bool comes(const std::atomic<bool>& flag) {
  const auto start = std::chrono::steady_clock::now();
  while (!flag)
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(60)) return false;
  return true;
}

TEST(ProxyLock, only_one_at_a_time_and_only_while_the_owner_is_inside) {
  for (const bool needs_fence : {true, !can_fence_all_threads()}) {
    ProxyLock proxy_lock;
    EXPECT_FALSE(proxy_lock.try_enter(needs_fence));
    proxy_lock.enter_body();
    EXPECT_TRUE(proxy_lock.try_enter(needs_fence));
    EXPECT_FALSE(proxy_lock.try_enter(needs_fence));
    proxy_lock.stop();
    EXPECT_TRUE(proxy_lock.try_enter(needs_fence));
    proxy_lock.stop();
    proxy_lock.leave_body(needs_fence);
    EXPECT_FALSE(proxy_lock.try_enter(needs_fence));
  }
}

TEST(ProxyLock, owner_and_proxies_never_meet) {
  constexpr int n_bodies = 100'000;
  for (const bool needs_fence : {true, !can_fence_all_threads()}) {
    ProxyLock proxy_lock;
    int state = 0;  // plain: ThreadSanitizer sees if two are there at once
    int n_minded = 0;
    std::atomic<bool> is_over{false};
    std::thread proxy([&] {
      while (!is_over)
        if (proxy_lock.try_enter(needs_fence)) {
          ++state;
          ++n_minded;
          proxy_lock.stop();
        }
    });
    for (int i = 0; i < n_bodies; ++i) {
      ++state;
      proxy_lock.enter_body();
      proxy_lock.leave_body(needs_fence);
    }
    is_over = true;
    proxy.join();

    EXPECT_EQ(state, n_bodies + n_minded);
  }
}

TEST(LongTask, does_not_hold_back_a_chain_that_crosses_its_worker) {
  for (const Model model : {Model::phase, Model::dataflow})
    for (const std::uint32_t n_workers : {2u, 3u})
      for (const std::uint32_t long_worker : {0u, 1u}) {
        SingleRank machine({.n_workers = n_workers});
        Recorder recorder(Rank(0), 1);
        auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
        std::atomic<bool> has_ended{false};
        bool has_come = false;
        const auto step = [](auto v) { ++v[0]; };
        recorder.task("long", uses(), [&] { has_come = comes(has_ended); },
                      {.preferred_worker = long_worker});
        for (std::uint32_t i = 0; i < 10; ++i)
          recorder.task("step", uses(inout(x)), step, {.preferred_worker = i});
        recorder.send(in(x), Rank(0));
        recorder.recv(out(y), Rank(0));
        for (std::uint32_t i = 0; i < 10; ++i)
          recorder.task("step", uses(inout(y)), step, {.preferred_worker = i / 2});
        recorder.task("end", uses(in(y)), [&](auto) { has_ended = true; }, {.preferred_worker = 0});
        Graph graph = capture(std::move(recorder), model);

        ASSERT_TRUE(machine.executor.run(graph, 1));

        EXPECT_TRUE(has_come) << n_workers << " workers, long task on " << long_worker;
        EXPECT_EQ(y.view()[0], 20);
      }
}

TEST(LongTask, does_not_hold_back_a_coroutine_of_its_worker) {
  SingleRank machine({.n_workers = 2}, 2);
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  std::atomic<bool> has_ended{false}, has_begun{false};
  bool has_come = false;
  recorder.task("wait", uses(inout(x)),
                [&](auto v, TaskContext& context) -> Coroutine {
                  has_begun = true;
                  const int sent = 7;
                  co_await context.send(std::as_bytes(std::span(&sent, 1)), Rank(0), Tag(1));
                  has_ended = true;
                  v[0] = sent;
                },
                {.preferred_worker = 0});
  auto y = recorder.data<int>("y", 1);
  recorder.task("other", uses(inout(y)),
                [](auto v, TaskContext& context) -> Coroutine {
                  co_await context.recv(std::as_writable_bytes(v), Rank(0), Tag(1));
                },
                {.preferred_worker = 1});
  recorder.task("long", uses(), [&] { has_come = comes(has_begun) && comes(has_ended); },
                {.preferred_worker = 0});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_TRUE(has_come);
  EXPECT_EQ(y.view()[0], 7);
}

}  // namespace
}  // namespace thalweg::flow
