// SPDX-License-Identifier: MIT
#pragma once

#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::exchange {

/// Who gives which averages of fine cells to which coarse block.
///
/// The region of a copy is the part of the parent below the fine block, in coarse cells: what is
/// copied are values already restricted. Every shift is zero.
template <int D>
struct RestrictPlan {
  Transfers<D> transfers;  ///< from fine blocks to their parents

  bool operator==(const RestrictPlan&) const = default;
};

/// Plan the restriction of a level to the next coarser one.
/// @pre options.level > 0; neighbours was made for this forest
template <int D>
RestrictPlan<D> plan_restrict(const mesh::Forest<D>& forest,
                              const mesh::NeighbourInfo<D>& neighbours, const PlanOptions& options);

}  // namespace thalweg::exchange
