// SPDX-License-Identifier: MIT
#pragma once

#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::exchange {

/// Who copies which cells to whose ghost cells within a level.
template <int D>
struct GhostPlan {
  GhostReach reach{0};  ///< no layers: points between blocks
  Transfers<D> transfers;

  bool operator==(const GhostPlan&) const = default;
};

/// Plan the ghost exchange of a level: one copy for each block and existing neighbour.
/// @pre neighbours was made for this forest
template <int D>
GhostPlan<D> plan_ghost(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                        const PlanOptions& options);

/// The part of a plan for cells that fills the ghost cells in reach.
template <int D>
GhostPlan<D> within_reach(const GhostPlan<D>& plan, const mesh::Geometry<D>& geometry,
                          const GhostReach& reach);

}  // namespace thalweg::exchange
