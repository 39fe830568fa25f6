// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/check.hpp>

#include <complex>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

using Complex = std::complex<double>;

const Layout on_six{.n = 11, .tile = 2, .grid_rows = 2, .grid_columns = 3, .uplo = Uplo::upper};

template <class F>
void on_ranks(const Layout& layout, F f) {
  comm::SimNetwork network({.n_ranks = layout.n_ranks()});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Executor executor({}, transport, network.clock());
    f(transport, executor);
  });
  ASSERT_TRUE(done) << done.error().message;
}

TEST(Norm, is_that_of_the_definition) {
  const RandomMatrix<Complex> element{.seed = 1, .bump = 2};
  const auto all = testing::hermitian<Complex>(11, element);
  double expected = 0;
  for (int j = 0; j < 11; ++j) {
    double sum = 0;
    for (int i = 0; i < 11; ++i) sum += std::abs(all(i, j));
    expected = std::max(expected, sum);
  }
  on_ranks(on_six, [&](auto& transport, auto&) {
    Matrix<Complex> a(on_six, transport.rank());
    a.set(element);
    EXPECT_NEAR(norm_1(a, transport), expected, 1e-13);
    a.set([](auto i, auto) { return i == 3 ? std::numeric_limits<double>::quiet_NaN() : 1.0; });
    EXPECT_TRUE(std::isnan(norm_1(a, transport)));
  });
}

TEST(Multiply, is_that_of_the_definition) {
  const RandomMatrix<Complex> element{.seed = 1, .bump = 2};
  const auto all = testing::hermitian<Complex>(11, element);
  testing::Dense<Complex> x(11, 1);
  for (int i = 0; i < 11; ++i) x(i, 0) = element(50 + i, 0);
  const auto expected = testing::product(all, x);
  on_ranks(on_six, [&](auto& transport, auto&) {
    Matrix<Complex> a(on_six, transport.rank());
    a.set(element);
    const auto y = multiply<Complex>(a, x.values, transport);
    for (std::size_t i = 0; i < 11; ++i) EXPECT_LT(std::abs(y[i] - expected.values[i]), 1e-14);
  });
}

TEST(Residual, sees_one_element_that_is_wrong) {
  on_ranks({.n = 40, .tile = 8}, [&](auto& transport, auto& executor) {
    const Layout layout{.n = 40, .tile = 8};
    const TileKernels<double> kernels(testing::blas(), Uplo::lower);
    const RandomMatrix<double> element{.seed = 1, .bump = 40};
    Matrix<double> l(layout, Rank(0));
    l.set(element);
    Factorisation<double> factorisation(l, kernels, {});
    ASSERT_EQ(factorisation.factorise(executor, transport).value(), 0);
    const auto residual = [&] {
      Matrix<double> a(layout, Rank(0));
      a.set(element);
      return factor_residual(a, l, kernels, {}, executor, transport).value();
    };
    EXPECT_LT(residual(), 1);
    for (const auto& [i, j, at] : {std::tuple{0, 0, 1}, {4, 1, 63}, {4, 4, 63}}) {
      const double right = l.tile(i, j)[at];
      l.tile(i, j)[at] += 1e-10;
      EXPECT_GT(residual(), check_threshold) << i << " " << j;
      l.tile(i, j)[at] = right;
    }
  });
}

TEST(Residual, of_a_solution_sees_one_element_that_is_wrong) {
  on_ranks(on_six, [&](auto& transport, auto&) {
    Matrix<double> a(on_six, transport.rank());
    a.set([](auto i, auto j) { return i == j ? 2.0 : 0.0; });
    std::vector<double> b(11, 4);
    std::vector<double> x(11, 2);
    EXPECT_EQ(solution_residual<double>(a, x, b, transport), 0);
    x[7] += 1e-12;
    EXPECT_GT(solution_residual<double>(a, x, b, transport), check_threshold);
    x[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(solution_residual<double>(a, x, b, transport)));
  });
}

}  // namespace
}  // namespace thalweg::cholesky
