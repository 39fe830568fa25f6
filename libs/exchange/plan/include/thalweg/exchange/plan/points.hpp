// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include <thalweg/core/centring.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

// Plans for data at nodes and faces: as those for cells, with points for cells in all boxes.
//
// Points between blocks belong to one of them, whatever the ranks: of the blocks of the level that
// have the point, the one furthest up counts; if there is a choice, the one furthest up in z, then
// y. That block *owns* the point; to the others it is a ghost, filled as those around are.

namespace thalweg::exchange {

/// Plan the exchange of a level: every point of a block and its ghosts that another block owns.
/// @param options  n_ghosts: 0, for points between blocks alone, to one less than the cells of a
///                 block
/// @pre neighbours was made for this forest
template <int D>
GhostPlan<D> plan_ghost_points(const mesh::Forest<D>& forest,
                               const mesh::NeighbourInfo<D>& neighbours,
                               const Centring<D>& centring, const PlanOptions& options);

/// Plan for the ghost points inside the domain, its ends included, that no block of the level has.
/// @param options  coarse_reach: on axes through centres
/// @pre options.level > 0; neighbours was made for this forest
template <int D>
CoarsePlan<D> plan_coarse_ghost_points(const mesh::Forest<D>& forest,
                                       const mesh::NeighbourInfo<D>& neighbours,
                                       const Centring<D>& centring, const PlanOptions& options);
/// Plan for all points of this rank's new blocks, and for the parts others asked for.
/// @param new_keys  blocks of the options' level, of this rank, sorted
/// @param arrived   what send_new_blocks sent, with coarse_reach >= 1
template <int D>
CoarsePlan<D> plan_coarse_interior_points(
    const mesh::Forest<D>& forest, std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
    const mesh::Messages<mesh::Key<D>>& arrived, const Centring<D>& centring,
    const PlanOptions& options);

/// Plan the restriction of a level: the owner of a fine point gives to the owner of the coarse one.
///
/// So one value comes to each coarse point that lies on a fine one, also where the level ends.
/// @pre options.level > 0; neighbours was made for this forest
template <int D>
RestrictPlan<D> plan_restrict_points(const mesh::Forest<D>& forest,
                                     const mesh::NeighbourInfo<D>& neighbours,
                                     const Centring<D>& centring, const PlanOptions& options);

/// The same move, of all points of each block.
template <int D>
MovePlan<D> move_points(MovePlan<D> plan, const Centring<D>& centring);

/// A block that did not exist before, told to one of its neighbours.
template <int D>
struct NewNeighbour {
  mesh::Key<D> block;       ///< the neighbour
  std::int32_t offset = 0;  ///< number of the offset at which the new block lies from it
};

/// Round before plan_old_points: new blocks tell their neighbours.
template <int D>
mesh::Messages<NewNeighbour<D>> send_new_neighbours(
    const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
    std::type_identity_t<std::span<const mesh::Key<D>>> new_keys);
/// Plan what new blocks take of those that existed before: the points between them, whoever owns
/// these now. What was interpolated does not replace what was computed.
template <int D>
GhostPlan<D> plan_old_points(const mesh::Forest<D>& forest,
                             const mesh::NeighbourInfo<D>& neighbours,
                             const mesh::Messages<NewNeighbour<D>>& arrived,
                             const Centring<D>& centring, const PlanOptions& options);

}  // namespace thalweg::exchange
