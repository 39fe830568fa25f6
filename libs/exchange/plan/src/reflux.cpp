// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/reflux.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/mesh/offsets.hpp>

#include "detail.hpp"

namespace thalweg::exchange {
namespace {

// The coarse layer just outside a face lies in one block: either the fine block's parent, or the
// parent's neighbour across the face, because fine blocks do not straddle coarse ones.
template <int D>
FluxPatch<D> make_patch(const mesh::Geometry<D>& geometry, const mesh::Key<D>& fine, int axis,
                        int side) {
  const mesh::Key<D> parent = geometry.parent(fine);
  const Index<D> outward = Index<D>::unit(axis) * (side == 0 ? -1 : 1);
  const Box<D> under = geometry.cells(fine).coarsened(geometry.ratio(parent.level));
  const Box<D> layer = ghost_region(under, outward, 1);
  if (geometry.cells(parent).contains(layer)) return {parent, axis, side, fine, layer};
  return {*geometry.neighbour(parent, outward), axis, side, fine,
          layer.shifted(geometry.wrap_shift(parent, outward))};
}

// Calls f(patch) for the faces of a fine block beyond which there is nothing fine.
template <int D, class F>
void for_each_patch(const mesh::Geometry<D>& geometry, const mesh::Key<D>& fine,
                    const mesh::NeighbourMask<D>& mask, const F& f) {
  for (int axis = 0; axis < D; ++axis)
    for (int side = 0; side < 2; ++side) {
      const Index<D> outward = Index<D>::unit(axis) * (side == 0 ? -1 : 1);
      if (!mask.has(outward) && geometry.neighbour(fine, outward))
        f(make_patch(geometry, fine, axis, side));
    }
}

template <int D>
std::vector<FluxMessage<D>> bundle(detail::ToPeers<FluxPatch<D>> patches, int max_comm_tasks) {
  std::vector<FluxMessage<D>> messages;
  detail::bundle(std::move(patches), max_comm_tasks,
                 [&](Rank peer, std::vector<FluxPatch<D>> run, std::int64_t n_cells) {
                   messages.push_back({peer, std::move(run), n_cells});
                 });
  return messages;
}

}  // namespace

template <int D>
RefluxPlan<D> plan_reflux(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                          const PlanOptions& options) {
  detail::check(forest, neighbours, options, 1);
  const mesh::LevelSet<D>& set = forest.level(options.level);
  const auto& masks = neighbours.levels[static_cast<std::size_t>(options.level)].masks;

  RefluxPlan<D> plan;
  plan.level = options.level;
  detail::ToPeers<FluxPatch<D>> sends;
  detail::ToPeers<FluxPatch<D>> recvs;
  for (std::size_t i = 0; i < set.keys.size(); ++i)
    for_each_patch(forest.geometry, set.keys[i], masks[i], [&](const FluxPatch<D>& patch) {
      plan.produced.push_back(patch);
      const Rank owner = forest.owner(patch.coarse);
      if (owner != forest.rank) sends.emplace_back(owner, patch);
    });
  for (const mesh::FineNeighbour<D>& fine : detail::fine_neighbours(neighbours, options.level))
    for_each_patch(forest.geometry, fine.key, fine.mask, [&](const FluxPatch<D>& patch) {
      if (!forest.owns(patch.coarse)) return;
      plan.consumed.push_back(patch);
      if (fine.owner != forest.rank)
        recvs.emplace_back(fine.owner, patch);
      else
        plan.locals.push_back(patch);
    });
  std::sort(plan.produced.begin(), plan.produced.end());
  std::sort(plan.consumed.begin(), plan.consumed.end());
  std::sort(plan.locals.begin(), plan.locals.end());
  plan.sends = bundle(std::move(sends), options.max_comm_tasks);
  plan.recvs = bundle(std::move(recvs), options.max_comm_tasks);
  return plan;
}

#define THALWEG_INSTANTIATE(D)                                                              \
  template RefluxPlan<D> plan_reflux(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&, \
                                     const PlanOptions&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
