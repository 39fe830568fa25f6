// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/ownership_update.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr {
namespace {

using mesh::Key;

/// The offset that a face leads to: x-, x+, y-, y+, z-, z+.
Index<3> offset_of(int face) {
  return Index<3>::unit(face / 2) * (face % 2 == 0 ? -1 : 1);
}

/// The children of the place across a face that touch it, the first transverse axis fastest.
std::array<Key<3>, 4> children_at(const Key<3>& place, int face) {
  const int axis = face / 2;
  const int first = axis == 0 ? 1 : 0;
  const int second = axis == 2 ? 1 : 2;
  std::array<Key<3>, 4> found;
  for (int i = 0; i < 4; ++i) {
    const int number =
        ((i & 1) << first) | ((i >> 1) << second) | ((face % 2 == 0 ? 1 : 0) << axis);
    found[static_cast<std::size_t>(i)] = mesh::child(place, number, ratio);
  }
  return found;
}

BlockNeighbours::Face face_of(const LeafHalo& halo, const Key<3>& leaf, int face) {
  const auto place = halo.geometry().neighbour(leaf, offset_of(face));
  if (!place) return {};
  if (const auto equal = halo.find(*place)) return {1, 0, {halo.known()[*equal].owner}};
  if (leaf.level > 0)
    if (const auto coarser = halo.find(mesh::parent(*place, ratio)))
      return {1, -1, {halo.known()[*coarser].owner}};
  BlockNeighbours::Face finer{4, 1, {}};
  const auto children = children_at(*place, face);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto child = halo.find(children[i]);
    THALWEG_ASSERT(child, "faces are balanced, and all that touch are known");
    finer.owners[i] = halo.known()[*child].owner;
  }
  return finer;
}

std::vector<mesh::OwnedLeaf<3>> neighbours(const mesh::Geometry<3>& geometry, const Key<3>& leaf,
                                           int face, const BlockNeighbours::Face& across) {
  if (across.n == 0) return {};
  const Key<3> place = *geometry.neighbour(leaf, offset_of(face));
  if (across.level_above == 0) return {{place, across.owners[0]}};
  if (across.level_above < 0) return {{mesh::parent(place, ratio), across.owners[0]}};
  std::vector<mesh::OwnedLeaf<3>> finer;
  const auto children = children_at(place, face);
  for (std::size_t i = 0; i < 4; ++i) finer.push_back({children[i], across.owners[i]});
  return finer;
}

}  // namespace

std::size_t most_blocks(const Transition& transition, Rank rank, std::size_t n_before) {
  std::size_t n_made = 0;   // children that this rank will have
  std::size_t n_split = 0;  // blocks that it had
  std::size_t n_joined = 0;
  for (const data::Origin& origin : transition.origins) {
    const bool is_made_here = origin.owner == rank;
    switch (origin.kind) {
      case data::Origin::Kind::same:
        break;
      case data::Origin::Kind::child:
        n_made += is_made_here ? 1 : 0;
        // All children of a block that this rank had are told to it: the first stands for them.
        if (origin.from[0].owner == rank)
          n_split += mesh::child(origin.from[0].key, 0, 2) == origin.key ? 1 : 0;
        break;
      case data::Origin::Kind::joined:
        n_joined += is_made_here ? 1 : 0;
        break;
    }
  }
  const std::size_t n_together = n_split + n_joined > 0 ? 1 : 0;
  return std::max(
      {n_before, n_before + n_made - n_split + n_together, transition.layout.blocks.size()});
}

mesh::Messages<data::Origin> send_origins(std::span<const data::Origin> origins) {
  mesh::Messages<data::Origin> out;
  out.reserve(origins.size());
  std::vector<Rank> involved;
  for (const data::Origin& origin : origins) {
    involved.assign({origin.owner});
    for (const auto& source : origin.sources())
      if (std::ranges::find(involved, source.owner) == involved.end())
        involved.push_back(source.owner);
    for (const Rank rank : involved) out.emplace_back(rank, origin);
  }
  return out;
}

data::Origins collect_origins(const mesh::Messages<data::Origin>& arrived) {
  data::Origins origins;
  origins.reserve(arrived.size());
  for (const auto& [from, origin] : arrived) origins.push_back(origin);
  std::ranges::sort(origins, {}, &data::Origin::key);
  return origins;
}

mesh::Messages<BlockNeighbours> send_layout(const LeafHalo& halo) {
  mesh::Messages<BlockNeighbours> out;
  out.reserve(halo.n_own());
  for (const auto& leaf : halo.known().subspan(halo.first_own(), halo.n_own())) {
    BlockNeighbours block{.key = leaf.key};
    for (int face = 0; face < 6; ++face)
      block.faces[static_cast<std::size_t>(face)] = face_of(halo, leaf.key, face);
    out.emplace_back(leaf.owner, block);
  }
  return out;
}

data::Layout collect_layout(const mesh::Geometry<3>& geometry,
                            const mesh::Messages<BlockNeighbours>& arrived) {
  data::Layout layout;
  layout.blocks.reserve(arrived.size());
  for (const auto& [from, told] : arrived) {
    data::Block block{.key = told.key, .faces = {}};
    for (std::size_t face = 0; face < 6; ++face)
      block.faces[face] = neighbours(geometry, told.key, static_cast<int>(face), told.faces[face]);
    layout.blocks.push_back(std::move(block));
  }
  std::ranges::sort(layout.blocks, {}, &data::Block::key);
  return layout;
}

}  // namespace thalweg::miniamr
