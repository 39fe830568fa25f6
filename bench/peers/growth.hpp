// SPDX-License-Identifier: MIT
// What the two programs share that measure submission while no task has run yet.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "peer.hpp"

namespace thalweg::bench {

/// A stencil of so many tasks whose tasks all read one more datum, as a time step is read, which a
/// first task writes.
inline Stencil stencil_of(std::uint32_t n_tasks) {
  Stencil stencil{.reach = 1};
  stencil.n_steps = n_tasks / stencil.width;
  return stencil;
}

/// The program: PROGRAM tasks...; prints for each number the ns to submit one of so many.
/// @param submit submits a stencil, tasks to be run later, and returns the ns that it took
template <class F>
int growth_main(int argc, char** argv, F submit) {
  constexpr double budget_ns = 1e8;
  for (int i = 1; i < argc; ++i) {
    const Stencil stencil = stencil_of(number(argv[i]));
    if (stencil.n_steps == 0) {
      std::fprintf(stderr, "usage: %s tasks..., each at least %u\n", argv[0], stencil.width);
      return 2;
    }
    double best = std::numeric_limits<double>::max();
    const double start = now_ns(Timer::wall);
    do best = std::min(best, submit(stencil));
    while (now_ns(Timer::wall) - start < budget_ns);
    std::printf("%.3f\n", best / stencil.n_tasks());
  }
  return 0;
}

}  // namespace thalweg::bench
