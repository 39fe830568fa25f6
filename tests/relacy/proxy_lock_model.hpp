// SPDX-License-Identifier: MIT
#pragma once
#include "../../libs/flow/src/proxy_lock.hpp"
#include "model.hpp"

namespace thalweg::testing::proxy_lock_model {

/// Fences of a model. One for all threads: whatever any of them has done so far, all have seen.
struct ModelFences {
  static void all_threads() { rl::systemwide_fence(info(Where::current())); }
  static void lent() {}
  static void yield() { rl::yield(1, info(Where::current())); }
};

/// The owner of queues goes into a body and comes back; two others would be its proxy meanwhile.
/// Nobody touches the queues while another does.
template <bool needs_fence>
struct OneAtATime : rl::test_suite<OneAtATime<needs_fence>, 3> {
  Aligned<flow::BasicProxyLock<ModelAtomic, ModelFences>> proxy_lock;
  ModelVar<int> queues;

  void before() { queues = 0; }
  void thread(unsigned index) {
    if (index == 0) {
      queues = queues + 1;
      for (int i = 0; i < 2; ++i) {
        proxy_lock->enter_body();
        proxy_lock->leave_body(needs_fence);
        queues = queues + 1;
      }
    } else if (proxy_lock->try_enter(needs_fence)) {
      queues = queues + 1;
      proxy_lock->stop();
    }
  }
};

/// The owner stays inside, so no fence is asked for: proxies take turns.
struct TakesTurns : rl::test_suite<TakesTurns, 2> {
  struct NoFences : ModelFences {
    static void all_threads() {}
  };
  Aligned<flow::BasicProxyLock<ModelAtomic, NoFences>> proxy_lock;
  ModelVar<int> queues;

  void before() {
    queues = 0;
    proxy_lock->enter_body();
  }
  void thread(unsigned) {
    if (!proxy_lock->try_enter(false)) return;
    queues = queues + 1;
    proxy_lock->stop();
  }
};

}  // namespace thalweg::testing::proxy_lock_model
