// SPDX-License-Identifier: MIT
// What Cholesky's tasks call of OpenBLAS, for lower triangles of doubles, in plain loops: the
// sanitizer sees what these touch, as it does not in a library that was built without it.
#include <cmath>
#include <cstdint>

using Int = const std::int32_t*;
using Word = const char*;

extern "C" {

void openblas_set_num_threads(int);
void dpotrf_(Word uplo, Int n, double* a, Int lda, std::int32_t* info);
void dtrsm_(Word side, Word uplo, Word trans, Word diag, Int m, Int n, const double* alpha,
            const double* a, Int lda, double* b, Int ldb);
void dsyrk_(Word uplo, Word trans, Int n, Int k, const double* alpha, const double* a, Int lda,
            const double* beta, double* c, Int ldc);
void dgemm_(Word transa, Word transb, Int m, Int n, Int k, const double* alpha, const double* a,
            Int lda, const double* b, Int ldb, const double* beta, double* c, Int ldc);
void dtrsv_(Word uplo, Word trans, Word diag, Int n, const double* a, Int lda, double* x, Int incx);
void dgemv_(Word trans, Int m, Int n, const double* alpha, const double* a, Int lda,
            const double* x, Int incx, const double* beta, double* y, Int incy);

void openblas_set_num_threads(int) {}

void dpotrf_(Word, Int n, double* a, Int lda, std::int32_t* info) {
  *info = 0;
  for (int j = 0; j < *n; ++j)
    for (int i = j; i < *n; ++i) {
      double sum = a[j * *lda + i];
      for (int k = 0; k < j; ++k) sum -= a[k * *lda + i] * a[k * *lda + j];
      a[j * *lda + i] = i == j ? std::sqrt(sum) : sum / a[j * *lda + j];
    }
}

void dtrsm_(Word, Word, Word, Word, Int m, Int n, const double*, const double* a, Int lda,
            double* b, Int ldb) {
  for (int j = 0; j < *n; ++j)
    for (int i = 0; i < *m; ++i) {
      for (int k = 0; k < j; ++k) b[j * *ldb + i] -= b[k * *ldb + i] * a[k * *lda + j];
      b[j * *ldb + i] /= a[j * *lda + j];
    }
}

void dsyrk_(Word, Word, Int n, Int k, const double*, const double* a, Int lda, const double*,
            double* c, Int ldc) {
  for (int j = 0; j < *n; ++j)
    for (int i = j; i < *n; ++i)
      for (int l = 0; l < *k; ++l) c[j * *ldc + i] -= a[l * *lda + i] * a[l * *lda + j];
}

void dgemm_(Word, Word, Int m, Int n, Int k, const double*, const double* a, Int lda,
            const double* b, Int ldb, const double*, double* c, Int ldc) {
  for (int j = 0; j < *n; ++j)
    for (int i = 0; i < *m; ++i)
      for (int l = 0; l < *k; ++l) c[j * *ldc + i] -= a[l * *lda + i] * b[l * *ldb + j];
}

void dtrsv_(Word, Word trans, Word, Int n, const double* a, Int lda, double* x, Int) {
  const bool is_plain = *trans == 'N';
  for (int step = 0; step < *n; ++step) {
    const int i = is_plain ? step : *n - 1 - step;
    for (int k = is_plain ? 0 : i + 1; k < (is_plain ? i : *n); ++k)
      x[i] -= (is_plain ? a[k * *lda + i] : a[i * *lda + k]) * x[k];
    x[i] /= a[i * *lda + i];
  }
}

void dgemv_(Word trans, Int m, Int n, const double*, const double* a, Int lda, const double* x, Int,
            const double*, double* y, Int) {
  const bool is_plain = *trans == 'N';
  for (int i = 0; i < (is_plain ? *m : *n); ++i) {
    y[i] = 0;
    for (int k = 0; k < (is_plain ? *n : *m); ++k)
      y[i] += (is_plain ? a[k * *lda + i] : a[i * *lda + k]) * x[k];
  }
}

}  // extern "C"
