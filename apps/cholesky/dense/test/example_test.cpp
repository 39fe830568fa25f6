// SPDX-License-Identifier: MIT
// The program of README.md.
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/solver.hpp>
#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>

namespace thalweg::cholesky {
namespace {

Result<std::vector<double>> solve_example(flow::Transport& transport, const Clock& clock) {
  const auto blas = OpenBlas::load();
  if (!blas) return std::unexpected(blas.error());
  const Layout layout{.n = 1000, .tile = 128, .grid_columns = transport.n_ranks()};
  const TileKernels<double> kernels(*blas, layout.uplo);
  Matrix<double> a(layout, transport.rank());
  Factorisation<double> factorisation(a, kernels, {.n_workers = 2});
  Solver<double> solver(a, kernels, {.n_workers = 2});
  flow::Executor executor({.n_workers = 2}, transport, clock);

  a.set([](auto row, auto column) { return row == column ? 4.0 : row == column + 1 ? -1.0 : 0.0; });
  const auto info = factorisation.factorise(executor, transport);  // other values: set and again
  if (!info) return std::unexpected(info.error());
  if (*info > 0) return std::unexpected(Failure{"the matrix is not positive definite"});
  std::vector<double> x(1000, 2.0);  // b
  if (const auto done = solver.solve(executor, transport, x); !done)
    return std::unexpected(done.error());
  return x;
}

TEST(Example, solves_its_system) {
  comm::AloneTransport transport;
  const auto x = solve_example(transport, SteadyClock());
  ASSERT_TRUE(x) << x.error().message;
  for (std::size_t i = 0; i < 1000; ++i) {
    const double before = i > 0 ? (*x)[i - 1] : 0;
    const double after = i < 999 ? (*x)[i + 1] : 0;
    ASSERT_NEAR(4 * (*x)[i] - before - after, 2, 1e-14) << i;
  }
}

}  // namespace
}  // namespace thalweg::cholesky
