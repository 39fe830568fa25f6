// SPDX-License-Identifier: MIT
#pragma once

/// What the tasks of an iteration are called, in traces and for those who add up their times.
namespace thalweg::hpccg::task_names {

inline constexpr const char* product = "product";          ///< with its share of p.Ap
inline constexpr const char* direction = "direction";      ///< p = r + beta p
inline constexpr const char* update_x = "update x";        ///< x += alpha p
inline constexpr const char* update_r = "update r";        ///< r -= alpha Ap, with its share of r.r
inline constexpr const char* update_all = "update";        ///< of all vectors, pipelined
inline constexpr const char* pack = "pack";                ///< rows for another rank
inline constexpr const char* reduce = "reduce";            ///< sums of blocks, then of ranks
inline constexpr const char* step_length = "step length";  ///< alpha
inline constexpr const char* residual = "residual";        ///< its norm, and beta

}  // namespace thalweg::hpccg::task_names
