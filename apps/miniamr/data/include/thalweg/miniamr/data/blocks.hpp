// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>

namespace thalweg::miniamr::data {

/// A block whose data this rank holds, and who is on the other side of its faces.
///
/// Faces are x-, x+, y-, y+, z-, z+: face 2 a + (0: low, 1: high) across axis a. Each has nobody at
/// the domain's boundary, else one leaf as fine or one level coarser, or four finer ones, the first
/// transverse axis running fastest (x before y before z).
struct Block {
  mesh::Key<3> key;
  std::array<std::vector<mesh::OwnedLeaf<3>>, 6> faces;

  bool operator==(const Block&) const = default;
};

/// All blocks of this rank, sorted by key.
struct Layout {
  std::vector<Block> blocks;

  bool operator==(const Layout&) const = default;
};

/// Where the cells of a new block come from in one change of the mesh: a pass of
/// refinement, a balance, or both.
struct Origin {
  enum class Kind : std::uint8_t {
    same,    ///< the block itself, kept or moved: one source
    child,   ///< its parent is split: one source
    joined,  ///< its children are joined: eight sources, x fastest, then y, then z
  };

  mesh::Key<3> key;  ///< of the new block
  Rank owner;        ///< of the new block
  Kind kind = Kind::same;
  std::array<mesh::OwnedLeaf<3>, 8> from{};  ///< blocks that there were, and who had them

  std::span<const mesh::OwnedLeaf<3>> sources() const {
    return std::span(from).first(kind == Kind::joined ? 8 : 1);
  }
  bool operator==(const Origin&) const = default;
};

/// The blocks of one change as this rank knows them: those it will have, and those of which it has
/// a source. Sorted by key, each once; all ranks that know an origin know the same.
using Origins = std::vector<Origin>;

}  // namespace thalweg::miniamr::data
