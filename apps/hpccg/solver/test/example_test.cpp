// SPDX-License-Identifier: MIT
// The program of README.md.
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>
#include <thalweg/hpccg/solver/stencil.hpp>

namespace thalweg::hpccg {
namespace {

TEST(Example, solves_its_system) {
  comm::AloneTransport transport;
  const SteadyClock clock;

  const Grid grid({{32, 32, 32}}, {{1, 1, transport.n_ranks()}}, transport.rank());
  const SellStencil a(grid);  // or an operator of your own
  std::vector<double> b(static_cast<std::size_t>(grid.n_rows())), x(b.size());
  set_right_hand_side(grid, b);
  ConjugateGradient solver(a, b, x, {.n_blocks = 16, .tolerance = 1e-6}, transport.rank(),
                           transport.n_ranks());
  flow::Executor executor({.n_workers = 2}, transport, clock);
  const Result<CgReport> report = solver.solve(executor);  // again, with other values in b and x

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_LE(report->residual, 1e-6);
  for (const double value : x) ASSERT_NEAR(value, 1, 1e-6);
}

}  // namespace
}  // namespace thalweg::hpccg
