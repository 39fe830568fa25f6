// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/solver.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/check.hpp>
#include <thalweg/cholesky/dense/generator.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

/// What was found by one rank, which is the same on all.
template <Scalar T>
struct Solved {
  std::vector<T> x;
  double solution = -1;  ///< residuals
  double factor = -1;
};

template <Scalar T>
Solved<T> solve_on(const Layout& layout, const FactorisationSettings& settings,
                   std::uint64_t seed = 1) {
  std::vector<Solved<T>> solved(static_cast<std::size_t>(layout.n_ranks()));
  comm::SimNetwork network({.n_ranks = layout.n_ranks(), .seed = seed});
  const RandomMatrix<T> element{.seed = 8, .bump = static_cast<double>(layout.n)};
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(seed + transport.rank()());
    flow::Executor executor({.picker = &picker}, transport, network.clock());
    Matrix<T> a(layout, transport.rank());
    const TileKernels<T> kernels(testing::blas(), layout.uplo);
    Factorisation<T> factorisation(a, kernels, settings);
    Solver<T> solver(a, kernels, settings);
    a.set(element);
    EXPECT_EQ(factorisation.factorise(executor, transport).value(), 0);
    std::vector<T> b(static_cast<std::size_t>(layout.n));
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = element(static_cast<std::int64_t>(i) + 999, 0);
    auto& mine = solved[transport.rank()()];
    for (int again = 0; again < 2; ++again) {
      mine.x = b;
      EXPECT_TRUE(solver.solve(executor, transport, mine.x));
    }
    Matrix<T> original(layout, transport.rank());
    original.set(element);
    mine.solution = solution_residual<T>(original, mine.x, b, transport);
    mine.factor = factor_residual(original, a, kernels, settings, executor, transport).value();
  });
  EXPECT_TRUE(done) << done.error().message;
  for (const auto& other : solved) EXPECT_EQ(other.x, solved[0].x);
  return solved[0];
}

template <class T>
class SolverOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolverOf, Scalars);

TYPED_TEST(SolverOf, any_size_is_right_to_rounding) {
  for (const auto uplo : {Uplo::lower, Uplo::upper})
    for (const std::int64_t n : {1, 6, 13}) {
      const auto solved = solve_on<TypeParam>({.n = n, .tile = 6, .uplo = uplo}, {});
      // Of one row: a root, its square and a difference are rounded.
      EXPECT_LT(solved.solution, 3) << n;
      EXPECT_LT(solved.factor, 3) << n;
      EXPECT_GE(solved.factor, 0);
      for (const auto& [p, q] : {std::pair{1, 2}, {3, 1}, {2, 2}, {3, 3}})
        for (const auto broadcast : {Broadcast::p2p, Broadcast::tree}) {
          const auto other = solve_on<TypeParam>(
              {.n = n, .tile = 6, .grid_rows = p, .grid_columns = q, .uplo = uplo},
              {.broadcast = broadcast}, 3);
          EXPECT_EQ(other.x, solved.x) << p << "x" << q;
          // Sums of norms are in the order of ranks.
          EXPECT_NEAR(other.factor, solved.factor, 1e-6 * solved.factor);
        }
    }
}

TEST(Solver, has_the_same_bits_in_all_models) {
  const auto expected = solve_on<double>({.n = 20, .tile = 3}, {});
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (std::uint64_t seed = 0; seed < 25; ++seed)
      ASSERT_EQ(solve_on<double>({.n = 20, .tile = 3, .grid_rows = 3, .grid_columns = 3},
                                 {.look_ahead = 1, .model = model}, seed)
                    .x,
                expected.x);
}

}  // namespace
}  // namespace thalweg::cholesky
