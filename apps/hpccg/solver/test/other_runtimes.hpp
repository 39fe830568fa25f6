// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <gtest/gtest.h>

#include <thalweg/backends/config.hpp>

#include "on_ranks.hpp"

namespace thalweg::hpccg::testing {

/// Solve by another runtime, on one rank and on three virtual ones, and compare the bits.
template <class Executor>
void expect_same_solution() {
  constexpr Index<3> all{{6, 6, 12}};
  CgSettings settings{.max_iterations = 4, .tolerance = 1e-9};
  const Solved expected = solve_on({{1, 1, 1}}, all, settings);
  ASSERT_EQ(expected.error, "");
  settings.n_blocks = 4;
  for (const auto method : {Method::plain, Method::pipelined})
    for (const int n_ranks : {1, 3}) {
      settings.method = method;
      const Grid grid({{6, 6, 12 / n_ranks}}, {{1, 1, n_ranks}}, Rank(0));
      const auto n = static_cast<std::size_t>(grid.n_rows());
      const Solved wanted =
          method == Method::plain ? expected : solve_on({{1, 1, 1}}, all, settings);
      std::vector<double> residuals;
      comm::SimNetwork network({.n_ranks = n_ranks});
      const auto done = network.run([&](flow::Transport& transport) {
        const Rank rank = transport.rank();
        const SellStencil a(Grid(grid.n(), {{1, 1, n_ranks}}, rank));
        std::vector<double> b(n), x(n);
        set_right_hand_side(a.grid(), b);
        ConjugateGradient solver(a, b, x, settings, rank, n_ranks);
        Executor executor(backends::Config{.n_threads = 2}, transport);
        const RunGraph run = [&](flow::Graph& graph, auto n_replays, auto first) {
          return executor.run(graph, n_replays, first);
        };
        const auto solved = solver.solve_by(run, [&](std::int64_t, double residual) {
          if (rank == Rank(0)) residuals.push_back(residual);
        });
        if (!solved) transport.abort(solved.error().message);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(x[i], wanted.x[rank() * n + i]);
      });
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(residuals, wanted.residuals) << n_ranks << " ranks";
    }
}

}  // namespace thalweg::hpccg::testing
