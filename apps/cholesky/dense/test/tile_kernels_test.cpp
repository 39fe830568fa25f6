// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/tile_kernels.hpp>

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>

#include "dense.hpp"
#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

using testing::adjoint;
using testing::Dense;
using testing::product;

TEST(OpenBlas, says_what_it_is) {
  EXPECT_NE(testing::blas().description().find("OpenBLAS"), std::string::npos);
  EXPECT_THROW(testing::blas().function("no_such_routine_"), Error);
}

TEST(OpenBlas, that_is_not_there_is_told_with_what_to_install) {
  const auto missing = OpenBlas::load("no_such_library.so");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("no_such_library.so"), std::string::npos);
  EXPECT_NE(missing.error().message.find("libopenblas0-pthread"), std::string::npos);
}

TEST(OpenBlas, runs_each_call_on_one_thread) {
  const auto n_threads =
      reinterpret_cast<int (*)()>(testing::blas().function("openblas_get_num_threads"));
  EXPECT_EQ(n_threads(), 1);
}

constexpr int m = 5;
constexpr int n = 3;

template <Scalar T>
constexpr Real<T> tolerance = 64 * std::numeric_limits<Real<T>>::epsilon();

template <Scalar T>
Dense<T> random(int rows, int columns, std::uint64_t seed) {
  const RandomMatrix<T> element{.seed = seed};
  Dense<T> a(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) a(i, j) = element(i + 100, j);
  return a;
}

/// Lower, with a diagonal far from 0.
template <Scalar T>
Dense<T> triangle(int rows) {
  Dense<T> l = random<T>(rows, rows, 9);
  for (int i = 0; i < rows; ++i) {
    l(i, i) = T(static_cast<Real<T>>(2 + i));
    for (int j = i + 1; j < rows; ++j) l(i, j) = T(0);
  }
  return l;
}

/// As a tile is stored: column by column, which is row by row of the transpose.
template <Scalar T>
std::vector<T> stored(const Dense<T>& a, Uplo uplo) {
  std::vector<T> values = uplo == Uplo::lower ? adjoint(a).values : a.values;
  for (T& value : values) value = conjugate(value);
  return values;
}

template <Scalar T>
void expect_near(const std::vector<T>& found, const std::vector<T>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(found[i] - expected[i]), tolerance<T>) << i;
}

template <Scalar T>
Dense<T> minus(Dense<T> a, const Dense<T>& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] -= b.values[i];
  return a;
}

template <class T>
class Kernels : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Kernels, Scalars);

TYPED_TEST(Kernels, do_what_they_are_defined_to) {
  using T = TypeParam;
  for (const auto uplo : {Uplo::lower, Uplo::upper}) {
    const TileKernels<T> kernels(testing::blas(), uplo);
    const auto tile = [&](const Dense<T>& a) { return stored(a, uplo); };
    const Dense<T> l = triangle<T>(n);

    std::vector<T> a = tile(product(l, adjoint(l)));
    EXPECT_EQ(kernels.factorise(n, a.data()), 0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const auto at = static_cast<std::size_t>(uplo == Uplo::lower ? j * n + i : i * n + j);
        EXPECT_LE(std::abs(a[at] - tile(l)[at]), tolerance<T>);
      }

    const Dense<T> x = random<T>(m, n, 1);
    a = tile(product(x, adjoint(l)));
    kernels.solve_panel(m, n, tile(l).data(), a.data());
    expect_near(a, tile(x));

    const Dense<T> y = random<T>(4, n, 2);
    const Dense<T> c = random<T>(m, 4, 3);
    a = tile(c);
    kernels.update(m, 4, n, tile(x).data(), tile(y).data(), a.data());
    expect_near(a, tile(minus(c, product(x, adjoint(y)))));

    const Dense<T> d = testing::hermitian<T>(m, RandomMatrix<T>{.seed = 4});
    a = tile(d);
    kernels.update_diagonal(m, n, tile(x).data(), a.data());
    const auto updated = tile(minus(d, product(x, adjoint(x))));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        const auto at = static_cast<std::size_t>(uplo == Uplo::lower ? j * m + i : i * m + j);
        EXPECT_LE(std::abs(a[at] - (i >= j ? updated : tile(d))[at]), tolerance<T>);
      }

    for (const auto direction : {Direction::forward, Direction::backward}) {
      const bool is_forward = direction == Direction::forward;
      const Dense<T> v = random<T>(n, 1, 5);
      std::vector<T> b = product(is_forward ? l : adjoint(l), v).values;
      kernels.solve(direction, n, tile(l).data(), b.data());
      expect_near(b, v.values);

      const Dense<T> from = random<T>(is_forward ? n : m, 1, 6);
      std::vector<T> to(is_forward ? m : n);
      kernels.multiply(direction, m, n, tile(x).data(), from.values.data(), to.data());
      expect_near(to, product(is_forward ? x : adjoint(x), from).values);
    }
  }
}

TEST(TileKernels, say_which_minor_is_not_positive_or_not_a_number) {
  const TileKernels<double> kernels(testing::blas(), Uplo::lower);
  std::vector<double> negative{1, 0, 0, 0, 1, 0, 0, 0, -1};
  EXPECT_EQ(kernels.factorise(3, negative.data()), 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> unknown{1, nan, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_EQ(kernels.factorise(3, unknown.data()), 2);
}

}  // namespace
}  // namespace thalweg::cholesky
