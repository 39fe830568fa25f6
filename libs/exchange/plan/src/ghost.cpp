// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/ghost.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/mesh/offsets.hpp>

#include "detail.hpp"

namespace thalweg::exchange {

template <int D>
GhostPlan<D> plan_ghost(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
                        const PlanOptions& options) {
  detail::check(forest, neighbours, options, 0);
  const mesh::Geometry<D>& geometry = forest.geometry;
  const mesh::LevelSet<D>& set = forest.level(options.level);
  const auto& masks = neighbours.levels[static_cast<std::size_t>(options.level)].masks;
  const Box<D> domain = geometry.domain_cells(options.level);

  detail::Collected<D> collected;
  for (std::size_t i = 0; i < set.keys.size(); ++i) {
    const mesh::Key<D>& key = set.keys[i];
    const Box<D> cells = geometry.cells(key);
    const bool is_inside = domain.contains(cells.grown(1));  // no way to a neighbour wraps around
    for (int o = 0; o < mesh::n_offsets<D>; ++o) {
      if (o == mesh::centre_offset<D> || !masks[i].has(o)) continue;
      const Index<D> offset = mesh::offset_at<D>(o);
      const mesh::Key<D> other = *geometry.neighbour(key, offset);
      const Copy<D> copy{other, key, ghost_region(cells, offset, options.n_ghosts),
                         is_inside ? Index<D>{} : geometry.wrap_shift(key, offset)};
      const Rank owner = forest.owner(other);
      collected.take(owner, forest.rank, copy);
      if (owner == forest.rank) continue;
      const Index<D> back = offset * -1;
      collected.sends.emplace_back(
          owner, Copy<D>{key, other, ghost_region(geometry.cells(other), back, options.n_ghosts),
                         geometry.wrap_shift(other, back)});
    }
  }
  return {.reach = {options.n_ghosts},
          .transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks)};
}

namespace {

// Both sides of a message keep the same copies in the same order.
template <int D>
std::vector<Copy<D>> copies_within_reach(const std::vector<Copy<D>>& copies,
                                         const mesh::Geometry<D>& geometry,
                                         const GhostReach& reach) {
  std::vector<Copy<D>> kept;
  kept.reserve(copies.size());
  for (Copy<D> copy : copies) {
    copy.region = within_reach(copy.region, geometry.cells(copy.dst), reach);
    if (!copy.region.is_empty()) kept.push_back(copy);
  }
  return kept;
}

template <int D>
std::vector<Message<D>> messages_within_reach(const std::vector<Message<D>>& messages,
                                              const mesh::Geometry<D>& geometry,
                                              const GhostReach& reach) {
  std::vector<Message<D>> kept;
  kept.reserve(messages.size());
  for (const auto& message : messages) {
    auto copies = copies_within_reach(message.copies, geometry, reach);
    if (copies.empty()) continue;
    std::int64_t n_cells = 0;
    for (const auto& copy : copies) n_cells += copy.n_cells();
    kept.push_back({message.peer, std::move(copies), n_cells});
  }
  return kept;
}

}  // namespace

template <int D>
GhostPlan<D> within_reach(const GhostPlan<D>& plan, const mesh::Geometry<D>& geometry,
                          const GhostReach& reach) {
  THALWEG_EXPECT(reach.layers >= 1 && reach.layers <= plan.reach.layers,
                 "layers that are not planned");
  return {.reach = reach,
          .transfers = {copies_within_reach(plan.transfers.locals, geometry, reach),
                        messages_within_reach(plan.transfers.sends, geometry, reach),
                        messages_within_reach(plan.transfers.recvs, geometry, reach)}};
}

#define THALWEG_INSTANTIATE(D)                                                            \
  template GhostPlan<D> plan_ghost(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&, \
                                   const PlanOptions&);                                   \
  template GhostPlan<D> within_reach(const GhostPlan<D>&, const mesh::Geometry<D>&,       \
                                     const GhostReach&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
