// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/morton.hpp>

namespace thalweg::mesh {

/// A leaf and who has it.
template <int D>
struct OwnedLeaf {
  Key<D> key;
  Rank owner;

  bool operator==(const OwnedLeaf&) const = default;
};

/// Whether a child touches the block that its parent lies at an offset from: it is on the near side
/// on each axis along which the offset leads.
template <int D>
bool is_near_side(int child_number, int ratio, const Index<D>& offset) {
  const Index<D> place = morton_decode<D>(static_cast<std::uint64_t>(child_number));
  for (int a = 0; a < D; ++a) {
    if (offset[a] > 0 && place[a] != 0) return false;
    if (offset[a] < 0 && place[a] != ratio - 1) return false;
  }
  return true;
}

/// This rank's leaves, but for most of those that are far from other ranks'.
template <int D>
std::vector<Key<D>> outer_leaves(const LeafForest<D>& forest);

/// Send leaves to the ranks that have leaves touching them.
/// @param reach  across what; it need not be what balance counts
/// @pre    the forest has a table
template <int D>
Messages<Key<D>> send_to_neighbours(const LeafForest<D>& forest, Adjacency reach);

}  // namespace thalweg::mesh
