// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/leaf_halo.hpp>

namespace thalweg::miniamr {

/// What a change of the mesh means for the data of this rank.
struct Transition {
  data::Origins origins;
  data::Layout layout;  ///< after the change
};

/// Blocks that a rank has at most on the way, counted as the reference counts: it splits one block
/// after another and then joins one family after another, and parent and children are there
/// together.
/// @param n_before  that it had
std::size_t most_blocks(const Transition& transition, Rank rank, std::size_t n_before);

/// A round: tell of each origin all ranks that have the new block or one of its sources.
mesh::Messages<data::Origin> send_origins(std::span<const data::Origin> origins);
/// What this rank was told, sorted by key.
data::Origins collect_origins(const mesh::Messages<data::Origin>& arrived);

/// A block and who is across its faces, small enough to send: the neighbours' keys follow from how
/// fine they are.
struct BlockNeighbours {
  struct Face {
    std::int8_t n = 0;            ///< of neighbours: 0, 1 or 4
    std::int8_t level_above = 0;  ///< of theirs over the block's: -1, 0 or 1
    std::array<Rank, 4> owners{};
  };

  mesh::Key<3> key;
  std::array<Face, 6> faces{};
};

/// A round: tell the owner of each leaf of this rank who is around it.
mesh::Messages<BlockNeighbours> send_layout(const LeafHalo& halo);
/// The blocks that this rank owns.
data::Layout collect_layout(const mesh::Geometry<3>& geometry,
                            const mesh::Messages<BlockNeighbours>& arrived);

/// Tell owners what they have and who is around it. Collective.
template <mesh::Collectives R>
data::Layout update_layout(const LeafHalo& halo, R& collectives) {
  return collect_layout(halo.geometry(), collectives.exchange(send_layout(halo)));
}

/// Tell owners, old and new, what is to become of their data. Collective.
template <mesh::Collectives R>
Transition update_ownership(std::span<const data::Origin> origins, const LeafHalo& after,
                            R& collectives) {
  return {collect_origins(collectives.exchange(send_origins(origins))),
          update_layout(after, collectives)};
}

}  // namespace thalweg::miniamr
