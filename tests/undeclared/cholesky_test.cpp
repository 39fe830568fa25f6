// SPDX-License-Identifier: MIT
// No false alarm and no data race: factorisations and solutions, with kernels that the sanitizer
// sees.
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>
#include <thalweg/cholesky/dense/solver.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/picker.hpp>

namespace thalweg::cholesky {
namespace {

TEST(Cholesky, declares_all_it_uses) {
  const auto blas = OpenBlas::load(THALWEG_PLAIN_BLAS);
  ASSERT_TRUE(blas) << blas.error().message;
  const TileKernels<double> kernels(*blas, Uplo::lower);
  const RandomMatrix<double> element{.seed = 1, .bump = 14};
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {2, 2}})
    for (const auto broadcast : {Broadcast::p2p, Broadcast::tree}) {
      const Layout layout{.n = 14, .tile = 3, .grid_rows = rows, .grid_columns = columns};
      const FactorisationSettings settings{.broadcast = broadcast, .look_ahead = 1};
      flow::AccessChecker checker;
      comm::SimNetwork network({.n_ranks = layout.n_ranks()});
      const auto done = network.run([&](flow::Transport& transport) {
        Matrix<double> a(layout, transport.rank());
        Factorisation<double> factorisation(a, kernels, settings);
        Solver<double> solver(a, kernels, settings);
        flow::UniformPicker picker(transport.rank()());
        flow::Executor executor({.picker = &picker, .checker = &checker}, transport,
                                network.clock());
        std::vector<double> x(14, 1.0);
        for (int again = 0; again < 2; ++again) {
          a.set(element);
          const auto info = factorisation.factorise(executor, transport);
          if (!info) transport.abort(info.error().message);
          if (const auto solved = solver.solve(executor, transport, x); !solved)
            transport.abort(solved.error().message);
        }
      });
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(checker.findings(), std::vector<std::string>{});
      EXPECT_EQ(checker.n_merged(), 0U);
      EXPECT_GT(checker.n_checked(), 0U);
    }
}

TEST(Cholesky, has_no_data_race_on_two_threads) {
  const auto blas = OpenBlas::load(THALWEG_PLAIN_BLAS);
  ASSERT_TRUE(blas) << blas.error().message;
  const TileKernels<double> kernels(*blas, Uplo::lower);
  comm::AloneTransport transport;
  const SteadyClock clock;
  Matrix<double> a({.n = 40, .tile = 4}, Rank(0));
  Factorisation<double> factorisation(a, kernels, {.n_workers = 2});
  Solver<double> solver(a, kernels, {.n_workers = 2});
  flow::Executor executor({.n_workers = 2}, transport, clock);
  std::vector<double> x(40, 1.0);
  for (int again = 0; again < 20; ++again) {
    a.set(RandomMatrix<double>{.seed = 1, .bump = 40});
    EXPECT_EQ(factorisation.factorise(executor, transport).value(), 0);
    EXPECT_TRUE(solver.solve(executor, transport, x));
  }
}

}  // namespace
}  // namespace thalweg::cholesky
