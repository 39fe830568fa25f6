// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <thalweg/cholesky/dense/factorisation.hpp>

namespace thalweg::cholesky {

/// What LAPACK's tests allow of both figures below.
/// @source LAPACK Working Note 41, the input files of the linear equation tests
inline constexpr double check_threshold = 30;

/// The largest sum of magnitudes of a column of a Hermitian matrix. Collective.
template <Scalar T>
double norm_1(const Matrix<T>& a, flow::Transport& transport);

/// A x, on all ranks. Collective. @param x  n elements, the same on all ranks
template <Scalar T>
std::vector<T> multiply(const Matrix<T>& a, std::span<const T> x, flow::Transport& transport);

/// How well a factor fits: ||A - L L^H||_1 / (n ||A||_1 u), u the rounding unit. Collective.
/// @param a  the matrix that was factorised; A - L L^H afterwards
/// @errors those of flow::Executor::run; the caller aborts the transport
/// @source LAPACK's xPOT01
template <Scalar T>
Result<double> factor_residual(Matrix<T>& a, const Matrix<T>& factor, const TileKernels<T>& kernels,
                               const FactorisationSettings& settings, flow::Executor& executor,
                               flow::Transport& transport);

/// How well a solution fits: ||A x - b|| / (n (||A||_1 ||x|| + ||b||) u), largest elements.
/// Collective.
template <Scalar T>
double solution_residual(const Matrix<T>& a, std::span<const T> x, std::span<const T> b,
                         flow::Transport& transport);

}  // namespace thalweg::cholesky
