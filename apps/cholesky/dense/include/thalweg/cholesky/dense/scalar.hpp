// SPDX-License-Identifier: MIT
#pragma once
#include <complex>
#include <concepts>

namespace thalweg::cholesky {

/// What a matrix may consist of: LAPACK's s, d, c and z.
template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> ||
                 std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

namespace detail {
template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
}  // namespace detail

/// The real numbers of a scalar's precision.
template <Scalar T>
using Real = typename detail::RealOf<T>::Type;

template <Scalar T>
constexpr bool is_complex = !std::same_as<T, Real<T>>;

/// The complex conjugate; of a real number itself.
template <Scalar T>
constexpr T conjugate(T value) {
  if constexpr (is_complex<T>)
    return std::conj(value);
  else
    return value;
}

}  // namespace thalweg::cholesky
