// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/vec.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// Set root blocks to numbers in [0, 1) that a hash of variable and place gives: the same on any
/// ranks.
/// @param root_blocks  of the whole domain
void set_hashed(Store& store, const Index<3>& root_blocks);

/// Set this rank's root blocks to what the C library's rand() gives from seed 1 on, divided by
/// RAND_MAX: every rank draws the same numbers, so the field depends on who has which blocks.
///
/// Blocks come in order of z, y, x, x running fastest; within one variables, then x, y, z, z
/// running fastest. For the mixed stencil its constants are drawn before.
/// @threads none: rand() has one state for the whole program
void set_drawn(Store& store, Stencil stencil);

/// A number that depends on every bit of every cell of this rank, and on where it is; the sum of
/// all ranks' numbers modulo 2^64 does not depend on who has which block.
std::uint64_t field_hash(const Store& store);
/// The sum of all ranks' numbers. Collective; not while a graph runs.
std::uint64_t field_hash(const Store& store, flow::Transport& transport);

}  // namespace thalweg::miniamr::data
