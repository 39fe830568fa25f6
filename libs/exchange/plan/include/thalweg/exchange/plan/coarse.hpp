// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::exchange {

/// What a fine block needs of the next coarser level, and what for.
template <int D>
struct CoarsePatch {
  mesh::Key<D> fine;
  Box<D> patch;              ///< holds the footprints of all regions; coarse cells, unwrapped
  std::size_t first_region;  ///< of those of the plan, which come in the order of their patches
  std::size_t n_regions;

  bool operator==(const CoarsePatch&) const = default;
};

/// Who copies which coarse cells to which fine block, to be prolonged there.
///
/// The index space of a patch is the coarse level's, continued without wrapping around the block's
/// parent. A footprint's cells outside the domain are in no copy: boundary conditions fill them.
template <int D>
struct CoarsePlan {
  std::vector<CoarsePatch<D>> patches;  ///< of this rank's blocks that need anything, sorted
  std::vector<Box<D>> regions;          ///< fine cells to be prolonged, of all patches
  Transfers<D> transfers;               ///< from coarse blocks to patches of fine blocks

  /// The fine cells of a patch to be prolonged, disjoint; in offset order.
  std::span<const Box<D>> regions_of(const CoarsePatch<D>& patch) const {
    return std::span(regions).subspan(patch.first_region, patch.n_regions);
  }
  bool operator==(const CoarsePlan&) const = default;
};

/// Plan for the ghost cells inside the domain that no block of the same level covers.
/// @pre options.level > 0; neighbours was made for this forest
template <int D>
CoarsePlan<D> plan_coarse_ghosts(const mesh::Forest<D>& forest,
                                 const mesh::NeighbourInfo<D>& neighbours,
                                 const PlanOptions& options);

/// Round before plan_coarse_interior: tell the owners of the coarse blocks which blocks are new.
///
/// @param new_keys  blocks of one level, of this rank
/// @param options   the same as for plan_coarse_interior
template <int D>
mesh::Messages<mesh::Key<D>> send_new_blocks(
    const mesh::Forest<D>& forest, std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
    const PlanOptions& options);
/// Plan for all cells of this rank's new blocks, and for the parts others asked for.
/// @param new_keys  blocks of the options' level, of this rank, sorted
/// @param arrived   what send_new_blocks sent
template <int D>
CoarsePlan<D> plan_coarse_interior(const mesh::Forest<D>& forest,
                                   std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
                                   const mesh::Messages<mesh::Key<D>>& arrived,
                                   const PlanOptions& options);

}  // namespace thalweg::exchange
