// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/cholesky/dense/layout.hpp>
#include <thalweg/cholesky/dense/open_blas.hpp>
#include <thalweg/cholesky/dense/scalar.hpp>

namespace thalweg::cholesky {

/// Which triangular system is solved: L y = b first, then L^H x = y.
enum class Direction : std::uint8_t { forward, backward };

/// What tasks do with tiles: calls of OpenBLAS, on the caller's thread.
///
/// Named by the lower triangle: L(i, j) is tile (i, j) of the factor, of rows(i) x rows(j). With
/// Uplo::lower it is stored column by column without gaps, with Uplo::upper its conjugate transpose
/// is. Of diagonal tiles the triangle that is not stored is not read.
/// @threads safe on distinct results
template <Scalar T>
class TileKernels {
 public:
  /// @errors Error where the library lacks a function
  TileKernels(const OpenBlas& blas, Uplo uplo);

  /// a = its factor, n x n. @return 0, or the first i, from 1, whose leading minor of order i is
  /// not positive definite or not a number
  int factorise(int n, T* a) const;
  /// a = a l^-H: a tile of m rows below the factor l of a diagonal tile, n x n.
  void solve_panel(int m, int n, const T* l, T* a) const;
  /// c = c - a a^H: a diagonal tile of m rows, by a tile with n columns.
  void update_diagonal(int m, int n, const T* a, T* c) const;
  /// c = c - a b^H: a tile of m x n, by tiles a of m x k and b of n x k.
  void update(int m, int n, int k, const T* a, const T* b, T* c) const;
  /// x = l^-1 x, or backward l^-H x, by the factor of a diagonal tile, n x n.
  void solve(Direction direction, int n, const T* l, T* x) const;
  /// y = l x, or backward l^H x, with a tile of m x n.
  void multiply(Direction direction, int m, int n, const T* l, const T* x, T* y) const;

 private:
  using Int = const std::int32_t*;
  using Word = const char*;

  Uplo uplo_;
  // Fortran's interfaces of LAPACK and BLAS; the lengths of words are not passed, as OpenBLAS,
  // which implements these in C, does not read them.
  void (*potrf_)(Word uplo, Int n, T* a, Int lda, std::int32_t* info);
  void (*trsm_)(Word side, Word uplo, Word trans, Word diag, Int m, Int n, const T* alpha,
                const T* a, Int lda, T* b, Int ldb);
  void (*herk_)(Word uplo, Word trans, Int n, Int k, const Real<T>* alpha, const T* a, Int lda,
                const Real<T>* beta, T* c, Int ldc);
  void (*gemm_)(Word transa, Word transb, Int m, Int n, Int k, const T* alpha, const T* a, Int lda,
                const T* b, Int ldb, const T* beta, T* c, Int ldc);
  void (*trsv_)(Word uplo, Word trans, Word diag, Int n, const T* a, Int lda, T* x, Int incx);
  void (*gemv_)(Word trans, Int m, Int n, const T* alpha, const T* a, Int lda, const T* x, Int incx,
                const T* beta, T* y, Int incy);
};

extern template class TileKernels<float>;
extern template class TileKernels<double>;
extern template class TileKernels<std::complex<float>>;
extern template class TileKernels<std::complex<double>>;

}  // namespace thalweg::cholesky
