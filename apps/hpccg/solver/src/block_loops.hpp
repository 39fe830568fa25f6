// SPDX-License-Identifier: MIT
// What the tasks of a block do, without tasks.
#pragma once
#include <cstddef>
#include <vector>

#include "cg_state.hpp"

namespace thalweg::hpccg::block_loops {

/// Whether a product is also multiplied with the vector that it is made from.
enum class ProductSum : std::uint8_t { none, with_vector };

/// ap = A vector. @param vector  with ghosts
void multiply(CgState& s, const LargeVector<double>& vector, ProductSum sum, std::size_t block);
/// r = b - ap.
void set_residual(CgState& s, std::size_t block);
/// p = r + beta p.
void set_direction(CgState& s, std::size_t block);
/// x += alpha p.
void update_x(CgState& s, std::size_t block);
/// r -= alpha ap.
void update_r(CgState& s, std::size_t block);
/// w = ap, which is A r.
void set_w(CgState& s, std::size_t block);
/// All vectors of the pipelined method.
void update_all(CgState& s, std::size_t block);

}  // namespace thalweg::hpccg::block_loops
