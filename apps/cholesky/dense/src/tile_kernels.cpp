// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/tile_kernels.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg::cholesky {
namespace {

constexpr std::int32_t one_apart = 1;

template <Scalar T>
std::string name_of(std::string_view routine) {
  const char letter = std::same_as<T, float>                 ? 's'
                      : std::same_as<T, double>              ? 'd'
                      : std::same_as<T, std::complex<float>> ? 'c'
                                                             : 'z';
  return letter + std::string(routine) + '_';
}

template <class Function>
void find(const OpenBlas& blas, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(blas.function(name));
}

}  // namespace

template <Scalar T>
TileKernels<T>::TileKernels(const OpenBlas& blas, Uplo uplo) : uplo_(uplo) {
  find(blas, name_of<T>("potrf"), potrf_);
  find(blas, name_of<T>("trsm"), trsm_);
  find(blas, name_of<T>(is_complex<T> ? "herk" : "syrk"), herk_);
  find(blas, name_of<T>("gemm"), gemm_);
  find(blas, name_of<T>("trsv"), trsv_);
  find(blas, name_of<T>("gemv"), gemv_);
}

template <Scalar T>
int TileKernels<T>::factorise(int n, T* a) const {
  std::int32_t info = 0;
  potrf_(uplo_ == Uplo::lower ? "L" : "U", &n, a, &n, &info);
  if (info != 0) return info;
  // The library takes what is not a number for positive.
  for (int i = 0; i < n; ++i)
    if (!std::isfinite(std::real(a[static_cast<std::size_t>(i) * static_cast<std::size_t>(n + 1)])))
      return i + 1;
  return 0;
}

template <Scalar T>
void TileKernels<T>::solve_panel(int m, int n, const T* l, T* a) const {
  const T one(1);
  if (uplo_ == Uplo::lower)
    trsm_("R", "L", "C", "N", &m, &n, &one, l, &n, a, &m);
  else
    trsm_("L", "U", "C", "N", &n, &m, &one, l, &n, a, &n);
}

template <Scalar T>
void TileKernels<T>::update_diagonal(int m, int n, const T* a, T* c) const {
  const Real<T> minus_one(-1);
  const Real<T> one(1);
  if (uplo_ == Uplo::lower)
    herk_("L", "N", &m, &n, &minus_one, a, &m, &one, c, &m);
  else
    herk_("U", "C", &m, &n, &minus_one, a, &n, &one, c, &m);
}

template <Scalar T>
void TileKernels<T>::update(int m, int n, int k, const T* a, const T* b, T* c) const {
  const T minus_one(-1);
  const T one(1);
  if (uplo_ == Uplo::lower)
    gemm_("N", "C", &m, &n, &k, &minus_one, a, &m, b, &n, &one, c, &m);
  else
    gemm_("C", "N", &n, &m, &k, &minus_one, b, &k, a, &k, &one, c, &n);
}

template <Scalar T>
void TileKernels<T>::solve(Direction direction, int n, const T* l, T* x) const {
  const bool is_lower = uplo_ == Uplo::lower;
  const bool is_transposed = is_lower == (direction == Direction::backward);
  trsv_(is_lower ? "L" : "U", is_transposed ? "C" : "N", "N", &n, l, &n, x, &one_apart);
}

template <Scalar T>
void TileKernels<T>::multiply(Direction direction, int m, int n, const T* l, const T* x,
                              T* y) const {
  const T one(1);
  const T zero(0);
  const bool is_lower = uplo_ == Uplo::lower;
  const bool is_transposed = is_lower == (direction == Direction::backward);
  const std::int32_t* rows = is_lower ? &m : &n;
  const std::int32_t* columns = is_lower ? &n : &m;
  gemv_(is_transposed ? "C" : "N", rows, columns, &one, l, rows, x, &one_apart, &zero, y,
        &one_apart);
}

template class TileKernels<float>;
template class TileKernels<double>;
template class TileKernels<std::complex<float>>;
template class TileKernels<std::complex<double>>;

}  // namespace thalweg::cholesky
