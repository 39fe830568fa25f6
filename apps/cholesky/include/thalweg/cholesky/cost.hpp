// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/cholesky/options.hpp>

namespace thalweg::cholesky {

/// Bytes of an element.
double bytes_of_element(Precision precision);

/// Bytes that a rank of a run takes at most: its tiles, twice where they are checked, buffers for
/// tiles of other ranks, and the graph.
double bytes_of_rank(const Options& options);

/// Floating-point operations of a factorisation: n^3/3 + n^2/2 + n/6 real ones; of complex numbers
/// a product counts six and a sum two.
/// @source LAPACK Working Note 41, appendix A
double flops(const Options& options);

}  // namespace thalweg::cholesky
