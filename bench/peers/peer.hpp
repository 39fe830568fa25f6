// SPDX-License-Identifier: MIT
// What all programs of this folder share: checks that tasks are run in order, then times them.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "../micro/slices.hpp"
#include "../micro/stencil.hpp"
#include "number.hpp"

namespace thalweg::bench {

/// What a task does when it is timed.
struct Nothing {
  void operator()(std::uint32_t, std::uint32_t) const {}
};

/// Finds out whether every task runs once a run, after those it depends on.
///
/// Relaxed atomics: the order must come from the runtime alone.
class Board {
 public:
  explicit Board(const Stencil& stencil)
      : stencil_(stencil), n_runs_(std::make_unique<Count[]>(stencil.n_tasks())) {}

  void visit(std::uint32_t step, std::uint32_t point) {
    const std::uint32_t run = 1 + at(step, point).fetch_add(1, std::memory_order_relaxed);
    if (step == 0) return;
    stencil_.for_each_dependency(point, [&](std::uint32_t p) {
      if (at(step - 1, p).load(std::memory_order_relaxed) != run)
        n_early_.fetch_add(1, std::memory_order_relaxed);
    });
  }
  bool is_right(std::uint32_t n_runs) const {
    for (std::uint32_t i = 0; i < stencil_.n_tasks(); ++i)
      if (n_runs_[i] != n_runs) return false;
    return n_early_ == 0;
  }

 private:
  using Count = std::atomic<std::uint32_t>;
  Count& at(std::uint32_t step, std::uint32_t point) {
    return n_runs_[step * stencil_.width + point];
  }

  Stencil stencil_;
  std::unique_ptr<Count[]> n_runs_;
  Count n_early_{0};
};

/// What a task does when it is checked.
struct Visit {
  Board* board;
  void operator()(std::uint32_t step, std::uint32_t point) const { board->visit(step, point); }
};

/// The best of many slices of some milliseconds. @return ns a task
template <class F>
double time_best(const Stencil& stencil, F run) {
  constexpr double slice_ns = 3e6, budget_ns = 1e8;
  constexpr int n_least = 3;
  const auto time = [&](std::uint32_t n_runs) {
    const double start = now_ns(Timer::wall);
    run(n_runs);
    return now_ns(Timer::wall) - start;
  };
  const auto n_runs = static_cast<std::uint32_t>(std::max(1.0, slice_ns / time(1)));
  double best = std::numeric_limits<double>::max();
  const double start = now_ns(Timer::wall);
  for (int n = 0; n < n_least || now_ns(Timer::wall) - start < budget_ns; ++n)
    best = std::min(best, time(n_runs));
  return best / n_runs / stencil.n_tasks();
}

/// The program: PEER threads dependencies [steps]; prints the ns a task takes.
/// @tparam Peer a class template on what tasks do; made of a Stencil and that, it has run(n)
/// @return the exit code: 2 where the arguments are wrong, 3 where tasks ran in a wrong order
template <template <class> class Peer>
int peer_main(int argc, char** argv) {
  const std::uint32_t n_dependencies = argc > 2 ? number(argv[2]) : 0;
  Stencil stencil;
  if (argc > 1) stencil.n_workers = number(argv[1]);
  if (argc > 3) stencil.n_steps = number(argv[3]);
  if (n_dependencies > 0) stencil.reach = n_dependencies / 2;
  if (argc < 3 || stencil.n_workers == 0 || stencil.n_steps == 0 ||
      (n_dependencies > 0 && n_dependencies % 2 == 0)) {
    std::fprintf(stderr, "usage: %s threads dependencies(0, 1, 3, 7) [steps]\n", argv[0]);
    return 2;
  }
  constexpr std::uint32_t n_checked = 5;
  Board board(stencil);
  Peer<Visit>(stencil, Visit{&board}).run(n_checked);
  if (!board.is_right(n_checked)) {
    std::fprintf(stderr, "error: %s does not run each task once, after its dependencies\n",
                 argv[0]);
    return 3;
  }
  Peer<Nothing> peer(stencil, Nothing{});
  std::printf("%.3f\n", time_best(stencil, [&](std::uint32_t n) { peer.run(n); }));
  return 0;
}

}  // namespace thalweg::bench
