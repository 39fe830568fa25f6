// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/detail/transport_lock.hpp>

#include "model.hpp"

namespace thalweg::testing::transport_lock_model {

struct ModelYield {
  void operator()() const { rl::yield(1, info(Where::current())); }
};
using Lock = flow::detail::BasicTransportLock<ModelAtomic, ModelYield>;

/// Two that poll go in where they may, while a task waits for its turn. One at a time is inside,
/// and sees what the last one did there.
struct OneIsInside : rl::test_suite<OneIsInside, 3> {
  Aligned<Lock> lock;
  ModelVar<int> transport;

  void before() { transport = 0; }
  void thread(unsigned index) {
    if (index == 0)
      lock->lock();
    else if (!lock->try_lock())
      return;
    transport = transport + 1;
    lock->unlock();
  }
};

}  // namespace thalweg::testing::transport_lock_model
