// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>
#include <thalweg/hpccg/solver/stencil.hpp>

namespace thalweg::hpccg::testing {

inline constexpr Index<3> one_rank{{1, 1, 1}};

/// All grids of some numbers of ranks.
inline std::vector<Index<3>> grids_of_ranks(std::initializer_list<int> numbers) {
  std::vector<Index<3>> grids;
  for (const int n : numbers)
    for (int x = 1; x <= n; ++x)
      for (int y = 1; x * y <= n; ++y)
        if (n % (x * y) == 0) grids.push_back({{x, y, n / x / y}});
  return grids;
}

/// The point of a row in the grid of all ranks.
inline Index<3> global_point(const Grid& grid, std::int64_t row) {
  const Index<3> n = grid.n();
  const int r = static_cast<int>(row);
  return grid.position() * n + Index<3>{{r % n[0], r / n[0] % n[1], r / n[0] / n[1]}};
}

/// What came out of a solution, whatever the ranks.
struct Solved {
  std::vector<double> residuals;
  std::vector<double> x;  ///< by point of the grid of all ranks
  std::string error;      ///< of the run; empty: none

  bool operator==(const Solved&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Solved& solved) {
    return out << solved.error << ::testing::PrintToString(solved.residuals);
  }
};

/// Solve HPCCG's problem as one rank.
/// @param into  of all ranks; each writes its own points, and rank 0 the residuals
template <class A>
void solve(Index<3> all, Index<3> ranks, const CgSettings& settings, flow::Transport& transport,
           flow::Executor& executor, Solved& into) {
  Index<3> n;
  for (int a = 0; a < 3; ++a) n[a] = all[a] / ranks[a];
  const Grid grid(n, ranks, transport.rank());
  const A a(grid);
  std::vector<double> b(static_cast<std::size_t>(grid.n_rows()));
  std::vector<double> x(b.size());
  set_right_hand_side(grid, b);
  ConjugateGradient solver(a, b, x, settings, transport.rank(), transport.n_ranks());
  const auto done = solver.solve(executor, [&](std::int64_t, double residual) {
    if (transport.rank() == Rank(0)) into.residuals.push_back(residual);
  });
  if (!done) transport.abort(done.error().message);
  for (std::int64_t row = 0; row < grid.n_rows(); ++row) {
    const Index<3> p = global_point(grid, row);
    into.x[static_cast<std::size_t>((p[2] * all[1] + p[1]) * all[0] + p[0])] =
        x[static_cast<std::size_t>(row)];
  }
}

/// The same on virtual ranks, under a random schedule.
template <class A = SellStencil>
Solved solve_on(Index<3> ranks, Index<3> all, const CgSettings& settings, std::uint64_t seed = 1) {
  Solved solved;
  solved.x.resize(static_cast<std::size_t>(product(all)));
  comm::SimNetwork network({.n_ranks = product(ranks), .seed = seed, .stack_bytes = 256 * 1024});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed + transport.rank()());
    flow::Executor executor({.picker = &picker}, transport, network.clock());
    solve<A>(all, ranks, settings, transport, executor, solved);
  });
  if (!done) solved.error = done.error().message;
  return solved;
}

}  // namespace thalweg::hpccg::testing
