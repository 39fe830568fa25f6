// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/cholesky/dense/scalar.hpp>

namespace thalweg::cholesky::testing {

/// A matrix in one piece, row after row, with the plainest algorithms: what tests compare with.
template <Scalar T>
struct Dense {
  Dense(std::int64_t rows, std::int64_t columns)
      : n_rows(rows), n_columns(columns), values(static_cast<std::size_t>(rows * columns)) {}

  T& operator()(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(i * n_columns + j)];
  }
  T operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * n_columns + j)];
  }

  std::int64_t n_rows, n_columns;
  std::vector<T> values;
};

/// All of a Hermitian matrix by its lower triangle.
template <Scalar T, class F>
Dense<T> hermitian(std::int64_t n, const F& element) {
  Dense<T> a(n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      a(i, j) = element(i, j);
      a(j, i) = conjugate(a(i, j));
    }
  return a;
}

template <Scalar T>
Dense<T> adjoint(const Dense<T>& a) {
  Dense<T> b(a.n_columns, a.n_rows);
  for (std::int64_t i = 0; i < b.n_rows; ++i)
    for (std::int64_t j = 0; j < b.n_columns; ++j) b(i, j) = conjugate(a(j, i));
  return b;
}

template <Scalar T>
Dense<T> product(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> c(a.n_rows, b.n_columns);
  for (std::int64_t i = 0; i < c.n_rows; ++i)
    for (std::int64_t j = 0; j < c.n_columns; ++j)
      for (std::int64_t k = 0; k < a.n_columns; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// The factor L of A = L L^H, or the order of the first minor that is not positive.
template <Scalar T>
std::pair<Dense<T>, std::int64_t> factor(const Dense<T>& a) {
  Dense<T> l(a.n_rows, a.n_rows);
  for (std::int64_t j = 0; j < a.n_rows; ++j)
    for (std::int64_t i = j; i < a.n_rows; ++i) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * conjugate(l(j, k));
      if (i > j)
        l(i, j) = sum / l(j, j);
      else if (std::real(sum) > 0)
        l(i, i) = std::sqrt(std::real(sum));
      else
        return {l, j + 1};
    }
  return {l, 0};
}

}  // namespace thalweg::cholesky::testing
