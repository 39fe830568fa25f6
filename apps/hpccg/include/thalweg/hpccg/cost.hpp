// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hpccg/options.hpp>

namespace thalweg::hpccg {

/// Bytes that a rank of a run holds at most: the matrix and the vectors.
double bytes_of_rank(const Options& options);

/// Bytes that an iteration has to move between memory and processor a row, on average over all,
/// where every pass over a vector comes from memory once: what the matrix has, 8 for an element
/// that is read, 8 for one that is written, and 8 more where that was not read before.
double bytes_of_iteration(const Options& options);

}  // namespace thalweg::hpccg
