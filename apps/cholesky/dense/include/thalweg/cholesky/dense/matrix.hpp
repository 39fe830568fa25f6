// SPDX-License-Identifier: MIT
#pragma once
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <thalweg/cholesky/dense/aligned_array.hpp>
#include <thalweg/cholesky/dense/layout.hpp>
#include <thalweg/cholesky/dense/scalar.hpp>
#include <thalweg/core/contract.hpp>

namespace thalweg::cholesky {

/// Element (row, column) of a Hermitian matrix, from 0, row >= column.
///
/// Valid: [](std::int64_t i, std::int64_t j) { return i == j ? 2.0 : 0.0; }. Invalid: a
/// std::vector.
template <class F, class T>
concept ElementFunction =
    std::regular_invocable<const F&, std::int64_t, std::int64_t> &&
    std::convertible_to<std::invoke_result_t<const F&, std::int64_t, std::int64_t>, T>;

/// Elements that a tile takes in memory, where the next begins a cache line, too.
template <Scalar T>
std::size_t tile_stride(const Layout& layout, int i, int j) {
  return AlignedArray<T>::padded(static_cast<std::size_t>(layout.rows(i)) *
                                 static_cast<std::size_t>(layout.rows(j)));
}

/// The tiles of a Hermitian matrix that one rank owns.
///
/// A diagonal tile has zeros where it is not stored. Tiles stay where they are while this lives.
template <Scalar T>
class Matrix {
 public:
  /// Zeros. @pre the rank is on the layout's grid
  Matrix(const Layout& layout, Rank rank);

  const Layout& layout() const { return layout_; }
  Rank rank() const { return rank_; }
  bool owns(int i, int j) const { return layout_.owner(i, j) == rank_; }
  /// Tile (i, j), i >= j, column by column as Layout says. @pre owns(i, j)
  T* tile(int i, int j) { return elements_.data() + offset(i, j); }
  const T* tile(int i, int j) const { return elements_.data() + offset(i, j); }
  /// Set all elements. Of the diagonal's the real parts are taken.
  template <ElementFunction<T> F>
  void set(const F& element) {
    for_each_element([&](std::int64_t row, std::int64_t column, T& to) {
      const T value = element(row, column);
      to = row == column                 ? T(std::real(value))
           : layout_.uplo == Uplo::lower ? value
                                         : conjugate(value);
    });
  }
  /// Call f(row, column, element as it is stored) for all stored elements, row >= column.
  template <class F>
  void for_each_element(F f) {
    visit(*this, f);
  }
  template <class F>
  void for_each_element(F f) const {
    visit(*this, f);
  }

 private:
  template <class Self, class F>
  static void visit(Self& self, F f) {
    const Layout& layout = self.layout_;
    const bool is_lower = layout.uplo == Uplo::lower;
    for_each_tile(layout, self.rank_, [&](int i, int j) {
      auto* element = self.tile(i, j);
      const int m = layout.rows(i);
      const int n = layout.rows(j);
      for (int outer = 0; outer < (is_lower ? n : m); ++outer)
        for (int inner = 0; inner < (is_lower ? m : n); ++inner, ++element) {
          const std::int64_t row = layout.begin(i) + (is_lower ? inner : outer);
          const std::int64_t column = layout.begin(j) + (is_lower ? outer : inner);
          if (row >= column) f(row, column, *element);
        }
    });
  }
  std::size_t offset(int i, int j) const {
    THALWEG_EXPECT(i >= j && i < layout_.n_tiles() && owns(i, j), "a tile of this rank");
    return offsets_[index(i, j)];
  }
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j / layout_.grid_columns) * n_local_rows_ +
           static_cast<std::size_t>(i / layout_.grid_rows);
  }

  Layout layout_;
  Rank rank_;
  std::size_t n_local_rows_;
  std::vector<std::size_t> offsets_;  ///< of tiles, by local column and row
  AlignedArray<T> elements_;
};

extern template class Matrix<float>;
extern template class Matrix<double>;
extern template class Matrix<std::complex<float>>;
extern template class Matrix<std::complex<double>>;

}  // namespace thalweg::cholesky
