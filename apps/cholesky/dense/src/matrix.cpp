// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/matrix.hpp>

#include <utility>

namespace thalweg::cholesky {
namespace {

/// Elements of a rank's tiles, each of which begins a cache line.
template <Scalar T>
std::size_t n_elements(const Layout& layout, Rank rank) {
  std::size_t n = 0;
  for_each_tile(layout, rank, [&](int i, int j) { n += tile_stride<T>(layout, i, j); });
  return n;
}

}  // namespace

template <Scalar T>
Matrix<T>::Matrix(const Layout& layout, Rank rank)
    : layout_(layout),
      rank_(rank),
      n_local_rows_(static_cast<std::size_t>(layout.n_tiles() / layout.grid_rows + 1)),
      elements_(n_elements<T>(layout, rank)) {
  THALWEG_EXPECT(layout.n >= 0 && layout.tile > 0 && layout.grid_rows > 0 &&
                     layout.grid_columns > 0 && static_cast<int>(rank()) < layout.n_ranks(),
                 "tiles of some rows, and a rank on the grid");
  offsets_.resize(n_local_rows_ *
                  static_cast<std::size_t>(layout.n_tiles() / layout.grid_columns + 1));
  std::size_t next = 0;
  for_each_tile(layout, rank, [&](int i, int j) {
    offsets_[index(i, j)] = next;
    next += tile_stride<T>(layout, i, j);
  });
}

template class Matrix<float>;
template class Matrix<double>;
template class Matrix<std::complex<float>>;
template class Matrix<std::complex<double>>;

}  // namespace thalweg::cholesky
