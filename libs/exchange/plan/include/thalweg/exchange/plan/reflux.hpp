// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::exchange {

/// One face of a fine block beyond which the domain goes on, but only coarse.
template <int D>
struct FluxPatch {
  mesh::Key<D> coarse;  ///< the block with the coarse cells just outside the face
  int axis = 0;         ///< of the face's normal
  int side = 0;         ///< of the fine block: 0 lower, 1 upper
  mesh::Key<D> fine;
  Box<D> region;  ///< those coarse cells, one layer, in the index space of the coarse block

  constexpr bool operator==(const FluxPatch&) const = default;
  constexpr std::int64_t n_cells() const { return region.n_cells(); }
};

/// The order in which a coarse block's corrections are applied: by block, axis, side, fine block.
template <int D>
constexpr bool operator<(const FluxPatch<D>& a, const FluxPatch<D>& b) {
  if (a.coarse != b.coarse) return a.coarse < b.coarse;
  if (a.axis != b.axis) return a.axis < b.axis;
  if (a.side != b.side) return a.side < b.side;
  return a.fine < b.fine;
}

/// Patches that travel together, packed as Message is. Sender and receiver hold the same list.
template <int D>
struct FluxMessage {
  Rank peer;
  std::vector<FluxPatch<D>> patches;
  std::int64_t n_cells = 0;

  bool operator==(const FluxMessage&) const = default;
};

/// Which fine fluxes replace which coarse ones, and where the corrections go. All lists sorted.
template <int D>
struct RefluxPlan {
  int level = 0;                       ///< the fine level
  std::vector<FluxPatch<D>> produced;  ///< at faces of this rank's fine blocks
  std::vector<FluxPatch<D>> consumed;  ///< by this rank's coarse blocks, in order of application
  std::vector<FluxPatch<D>> locals;    ///< both
  std::vector<FluxMessage<D>> sends;   ///< produced here, consumed by a peer
  std::vector<FluxMessage<D>> recvs;   ///< produced by a peer, consumed here

  bool operator==(const RefluxPlan&) const = default;
};

/// Plan the flux correction between a level and the next coarser one.
/// @pre options.level > 0; neighbours was made for this forest
template <int D>
RefluxPlan<D> plan_reflux(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                          const PlanOptions& options);

}  // namespace thalweg::exchange
