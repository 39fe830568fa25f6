// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/matrix.hpp>

#include <complex>
#include <cstdint>

#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/aligned_array.hpp>

namespace thalweg::cholesky {
namespace {

using Complex = std::complex<double>;

/// Tells its place.
Complex place(std::int64_t row, std::int64_t column) {
  return {static_cast<double>(row), static_cast<double>(column)};
}

TEST(Matrix, of_lower_triangles_has_tiles_column_by_column) {
  Matrix<Complex> a({.n = 5, .tile = 3}, Rank(0));
  a.set(place);
  EXPECT_EQ(a.tile(1, 0)[0], place(3, 0));
  EXPECT_EQ(a.tile(1, 0)[1], place(4, 0));
  EXPECT_EQ(a.tile(1, 0)[2], place(3, 1));
  EXPECT_EQ(a.tile(0, 0)[1], place(1, 0));
  EXPECT_EQ(a.tile(0, 0)[3], 0.0);           // above the diagonal
  EXPECT_EQ(a.tile(0, 0)[4], Complex(1.0));  // of the diagonal the real part
  EXPECT_EQ(a.tile(1, 1)[1], place(4, 3));
}

TEST(Matrix, of_upper_triangles_has_conjugate_transposes) {
  Matrix<Complex> a({.n = 5, .tile = 3, .uplo = Uplo::upper}, Rank(0));
  a.set(place);
  EXPECT_EQ(a.tile(1, 0)[0], conjugate(place(3, 0)));
  EXPECT_EQ(a.tile(1, 0)[1], conjugate(place(3, 1)));
  EXPECT_EQ(a.tile(1, 0)[3], conjugate(place(4, 0)));
  EXPECT_EQ(a.tile(0, 0)[1], 0.0);  // below the diagonal
  EXPECT_EQ(a.tile(0, 0)[3], conjugate(place(1, 0)));
}

TEST(Matrix, has_the_same_elements_on_any_ranks) {
  for (const auto uplo : {Uplo::lower, Uplo::upper}) {
    std::vector<int> seen(11 * 11);
    const Layout layout{.n = 11, .tile = 2, .grid_rows = 2, .grid_columns = 3, .uplo = uplo};
    for (int r = 0; r < 6; ++r) {
      Matrix<double> a(layout, Rank(r));
      a.set([](std::int64_t row, std::int64_t column) {
        return static_cast<double>(row * 11 + column);
      });
      const Matrix<double>& seen_only = a;
      seen_only.for_each_element([&](std::int64_t row, std::int64_t column, double value) {
        EXPECT_GE(row, column);
        EXPECT_EQ(value, static_cast<double>(row * 11 + column));
        ++seen[static_cast<std::size_t>(row * 11 + column)];
      });
    }
    for (std::int64_t row = 0; row < 11; ++row)
      for (std::int64_t column = 0; column < 11; ++column)
        EXPECT_EQ(seen[static_cast<std::size_t>(row * 11 + column)], row >= column);
  }
}

TEST(Matrix, can_be_empty_on_a_rank) {
  const Matrix<double> a({.n = 2, .tile = 4, .grid_rows = 2, .grid_columns = 2}, Rank(3));
  int n = 0;
  a.for_each_element([&](auto, auto, double) { ++n; });
  EXPECT_EQ(n, 0);
}

TEST(AlignedArray, begins_cache_lines_with_zeros) {
  AlignedArray<float> array(37);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
  for (std::size_t i = 0; i < array.size(); ++i) EXPECT_EQ(array.data()[i], 0);
  EXPECT_EQ(AlignedArray<double>::padded(9), 16U);
  EXPECT_EQ(AlignedArray<double>::padded(8), 8U);
  const Matrix<float> a({.n = 7, .tile = 3}, Rank(0));
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {2, 1}, {2, 2}})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.tile(i, j)) % 64, 0U);
}

}  // namespace
}  // namespace thalweg::cholesky
