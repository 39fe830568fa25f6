// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::mesh {

/// Name the blocks of the next level that a block's tagged cells ask for, sorted.
///
/// Each tagged cell is grown by the buffer on all sides; every block of the next level that touches
/// the result is wanted, also under the block's neighbours and around periodic axes.
/// @shape tags  one component, at least the cells of the block; non-zero means tagged
/// @pre   0 <= buffer <= block_cells of every axis [cells], and the block is not on the finest
/// level allowed
template <int D>
std::vector<Key<D>> wanted_children(const Geometry<D>& geometry, const Key<D>& block,
                                    std::type_identity_t<View<const std::uint8_t, D>> tags,
                                    int buffer);

}  // namespace thalweg::mesh
