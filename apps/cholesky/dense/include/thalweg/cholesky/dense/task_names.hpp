// SPDX-License-Identifier: MIT
#pragma once

/// What tasks are called, by LAPACK's and BLAS's names.
namespace thalweg::cholesky::task_names {

inline constexpr const char* factorise = "potrf";
inline constexpr const char* solve_panel = "trsm";
inline constexpr const char* update_diagonal = "herk";
inline constexpr const char* update = "gemm";
inline constexpr const char* solve = "trsv";
inline constexpr const char* multiply = "gemv";
inline constexpr const char* subtract = "axpy";

}  // namespace thalweg::cholesky::task_names
