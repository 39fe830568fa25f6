// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::exchange {

/// The ghost cells of a block on the side (face, edge or corner) of an offset in {-1, 0, 1}^D.
///
/// The offset zero gives the cells of the block.
template <int D>
constexpr Box<D> ghost_region(const Box<D>& cells, const Index<D>& offset, int n_ghosts) {
  Box<D> region = cells;
  for (int a = 0; a < D; ++a) {
    if (offset[a] < 0) {
      region.lo[a] = cells.lo[a] - n_ghosts;
      region.hi[a] = cells.lo[a];
    } else if (offset[a] > 0) {
      region.lo[a] = cells.hi[a];
      region.hi[a] = cells.hi[a] + n_ghosts;
    }
  }
  return region;
}

/// Which of its ghost cells a block needs.
struct GhostReach {
  int layers;                ///< no more than there are
  bool with_corners = true;  ///< those that lie outside along several axes, edges and corners, too

  bool operator==(const GhostReach&) const = default;
};

/// The part of a ghost region that is within reach; empty if none is.
template <int D>
constexpr Box<D> within_reach(const Box<D>& region, const Box<D>& cells, const GhostReach& reach) {
  if (!reach.with_corners) {
    int n_outside = 0;
    for (int a = 0; a < D; ++a)
      n_outside += region.hi[a] <= cells.lo[a] || region.lo[a] >= cells.hi[a];
    if (n_outside > 1) return {};
  }
  return intersect(region, cells.grown(reach.layers));
}

/// The coarse cells that prolongation of a fine region reads: those below it and some around.
/// @param reach  how many around: what the rule of interpolation says
template <int D>
constexpr Box<D> coarse_footprint(const Box<D>& fine_region, int ratio, int reach) {
  return fine_region.coarsened(ratio).grown(reach);
}

}  // namespace thalweg::exchange
