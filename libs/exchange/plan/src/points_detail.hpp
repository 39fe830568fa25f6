// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <thalweg/core/centring.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/offsets.hpp>

#include "detail.hpp"

namespace thalweg::exchange::detail {

template <int D>
using Masks = std::vector<mesh::NeighbourMask<D>>;

/// Check that the options fit the forest and the neighbourhoods belong to it.
template <int D>
void check_points(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                  const PlanOptions& options, int lowest_level) {
  check_common(forest, neighbours, options, lowest_level);
  THALWEG_EXPECT(options.n_ghosts >= 0 && options.n_ghosts < forest.geometry.block_cells().fewest(),
                 "ghost points lie within the neighbours");
  THALWEG_EXPECT(options.n_ghosts + options.coarse_reach < forest.geometry.block_cells().fewest(),
                 "prolongation reads no further than the neighbours of the parent");
}

/// Which of the blocks around some blocks are there: by this rank's blocks of a level.
template <int D>
const Masks<D>& masks_of(const mesh::NeighbourInfo<D>& neighbours, int level) {
  return neighbours.levels[static_cast<std::size_t>(level)].masks;
}

/// Call f(key, mask, owner) for this rank's blocks of a level and for others' near its parents.
template <int D, class F>
void for_each_neighbour(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                        int level, F&& f) {
  const auto& keys = forest.level(level).keys;
  for (std::size_t i = 0; i < keys.size(); ++i)
    f(keys[i], masks_of(neighbours, level)[i], forest.rank);
  for (const mesh::FineNeighbour<D>& fine : fine_neighbours(neighbours, level))
    if (fine.owner != forest.rank) f(fine.key, fine.mask, fine.owner);
}

/// The points that a coarse block owns next to a fine level, which all of its neighbours surround:
/// those of its own cells, and at an end of the domain those at the upper ends too.
template <int D>
Box<D> owned_points(const mesh::Geometry<D>& geometry, const mesh::Key<D>& block, Box<D> cells,
                    const Centring<D>& centring) {
  for (int a = 0; a < D; ++a)
    if (centring.between[a] && !geometry.neighbour(block, Index<D>::unit(a))) ++cells.hi[a];
  return cells;
}

/// Call f(source, its part of the points, wrap shift) for the blocks around a parent, itself
/// included, that own some of its level's points.
template <int D, class F>
void for_each_owner(const mesh::Geometry<D>& geometry, const mesh::Key<D>& parent,
                    const std::vector<Box<D>>& boxes, const Centring<D>& centring, F&& f) {
  const Box<D> centre = geometry.cells(parent);
  for (int o = 0; o < mesh::n_offsets<D>; ++o) {
    const Index<D> offset = mesh::offset_at<D>(o);
    const auto owner = geometry.neighbour(parent, offset);
    if (!owner) continue;
    const Box<D> owned =
        owned_points(geometry, *owner, centre.shifted(offset * geometry.block_cells()), centring);
    Box<D> part{};
    for (const Box<D>& box : boxes) part = bounding(part, intersect(box, owned));
    if (!part.is_empty()) f(*owner, part, geometry.wrap_shift(parent, offset));
  }
}

}  // namespace thalweg::exchange::detail
