// SPDX-License-Identifier: MIT
#pragma once
#include "../../libs/flow/src/minding.hpp"
#include "model.hpp"

namespace thalweg::testing::minding_model {

/// Fences of a model. One for all threads: whatever any of them has done so far, all have seen.
struct ModelFences {
  static void all_threads() { rl::systemwide_fence(info(Where::current())); }
  static void lent() {}
  static void yield() { rl::yield(1, info(Where::current())); }
};

/// The owner of a home goes into a body and comes back; two others would mind the home meanwhile.
/// Nobody touches the home while another does.
template <bool needs_fence>
struct OneAtATime : rl::test_suite<OneAtATime<needs_fence>, 3> {
  Aligned<flow::BasicMinding<ModelAtomic, ModelFences>> minding;
  ModelVar<int> home;

  void before() { home = 0; }
  void thread(unsigned index) {
    if (index == 0) {
      home = home + 1;
      for (int i = 0; i < 2; ++i) {
        minding->enter_body();
        minding->leave_body(needs_fence);
        home = home + 1;
      }
    } else if (minding->try_mind(needs_fence)) {
      home = home + 1;
      minding->stop();
    }
  }
};

/// The owner stays inside, so no fence is asked for: those who mind the home take turns.
struct TakesTurns : rl::test_suite<TakesTurns, 2> {
  struct NoFences : ModelFences {
    static void all_threads() {}
  };
  Aligned<flow::BasicMinding<ModelAtomic, NoFences>> minding;
  ModelVar<int> home;

  void before() {
    home = 0;
    minding->enter_body();
  }
  void thread(unsigned) {
    if (!minding->try_mind(false)) return;
    home = home + 1;
    minding->stop();
  }
};

}  // namespace thalweg::testing::minding_model
