// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/cholesky/dense/scalar.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>

namespace thalweg::cholesky {

/// The elements of a random Hermitian matrix: each a function of its place and the seed, so the
/// same matrix on any ranks and in any tiles.
///
/// Parts are even in [-1/2, 1/2), and the diagonal is real, with `bump` added. With n or more
/// of it the matrix is diagonally dominant, so positive definite.
template <Scalar T>
struct RandomMatrix {
  std::uint64_t seed = 0;
  double bump = 0;

  /// @pre row >= column
  T operator()(std::int64_t row, std::int64_t column) const {
    SplitMix64 random(hash_number(static_cast<std::uint64_t>(column),
                                  hash_number(static_cast<std::uint64_t>(row), seed)));
    const double real = random.uniform() - 0.5;
    if (row == column) return T(static_cast<Real<T>>(real + bump));
    if constexpr (is_complex<T>)
      return T(static_cast<Real<T>>(real), static_cast<Real<T>>(random.uniform() - 0.5));
    else
      return static_cast<T>(real);
  }
};

}  // namespace thalweg::cholesky
