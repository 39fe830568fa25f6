// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/miniamr/objects.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// Where blocks lie, as the reference measures it: in units of half a finest block.
///
/// The domain is the unit cube whatever the number of root blocks, so blocks need not be cubes.
struct Lattice {
  Index<3> root_blocks{1, 1, 1};
  int max_level = 0;

  /// Units that the domain has on an axis.
  int width(int axis) const { return root_blocks[axis] << (max_level + 1); }
  /// Half of a block's width [units].
  int half_width(int level) const { return 1 << (max_level - level); }
  /// The middle of a block [units].
  Index<3> centre(const mesh::Key<3>& key) const;
  /// The part of the unit cube that it takes, in the reference's order of operations.
  Extent extent(const mesh::Key<3>& key) const;
};

Lattice lattice_of(const Options& options);

/// What stays the same in a run's mesh: face balance, and the curve that blocks are kept along.
/// The number of cells that the geometry knows is its own: a block's are Options::block_cells.
mesh::LeafRules<3> mesh_rules(const Options& options);

/// A hash of a set of leaves: the sum over them of hashes of level and place, modulo 2^64. So the
/// sum of what ranks have is the hash of the whole.
std::uint64_t mesh_hash(std::span<const mesh::Key<3>> leaves);

}  // namespace thalweg::miniamr
