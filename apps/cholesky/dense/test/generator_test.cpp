// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/generator.hpp>

#include <complex>
#include <set>

#include <gtest/gtest.h>

namespace thalweg::cholesky {
namespace {

TEST(RandomMatrix, is_a_function_of_place_and_seed) {
  const RandomMatrix<double> a{.seed = 3, .bump = 100};
  std::set<double> seen;
  for (std::int64_t i = 0; i < 40; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const double value = a(i, j) - (i == j ? 100 : 0);
      EXPECT_TRUE(value >= -0.5 && value < 0.5);
      EXPECT_TRUE(seen.insert(value).second) << i << " " << j;
      EXPECT_EQ(a(i, j), (RandomMatrix<double>{.seed = 3, .bump = 100})(i, j));
      EXPECT_NE(a(i, j), (RandomMatrix<double>{.seed = 4, .bump = 100})(i, j));
    }
  // Beyond 32 bits, too.
  EXPECT_NE(a((std::int64_t{1} << 32) + 1, 0), a(1, 0));
}

TEST(RandomMatrix, has_a_real_diagonal) {
  const RandomMatrix<std::complex<double>> a{.seed = 3, .bump = 7};
  EXPECT_EQ(a(5, 5).imag(), 0);
  EXPECT_NEAR(a(5, 5).real(), 7, 0.5);
  EXPECT_NE(a(5, 4).imag(), 0);
  EXPECT_NE(a(5, 4).imag(), a(5, 4).real());
}

TEST(Scalar, knows_conjugates_and_real_parts) {
  static_assert(std::same_as<Real<std::complex<float>>, float> && is_complex<std::complex<float>>);
  static_assert(std::same_as<Real<double>, double> && !is_complex<double>);
  EXPECT_EQ(conjugate(std::complex<double>(1, 2)), std::complex<double>(1, -2));
  EXPECT_EQ(conjugate(3.0F), 3.0F);
}

}  // namespace
}  // namespace thalweg::cholesky
