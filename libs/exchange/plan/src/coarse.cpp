// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/coarse.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/sort_unique.hpp>

#include "detail.hpp"

namespace thalweg::exchange {
namespace {

// Adds the ghost cells that blocks of the level do not give.
template <int D>
void add_missing_regions(const mesh::Geometry<D>& geometry, const mesh::Key<D>& key,
                         const mesh::NeighbourMask<D>& mask, int n_ghosts,
                         std::vector<Box<D>>& regions) {
  const Box<D> cells = geometry.cells(key);
  for (int o = 0; o < mesh::n_offsets<D>; ++o) {
    if (mask.has(o)) continue;
    const Index<D> offset = mesh::offset_at<D>(o);
    if (geometry.neighbour(key, offset)) regions.push_back(ghost_region(cells, offset, n_ghosts));
  }
}

// At which offsets from a block the blocks are that a footprint touches. It reaches no further than
// the neighbours.
template <int D>
Box<D> blocks_touched(const Box<D>& footprint, const Box<D>& centre) {
  Box<D> offsets;
  for (int a = 0; a < D; ++a) {
    offsets.lo[a] = footprint.lo[a] < centre.lo[a] ? -1 : footprint.lo[a] < centre.hi[a] ? 0 : 1;
    offsets.hi[a] = footprint.hi[a] > centre.hi[a] ? 2 : footprint.hi[a] > centre.lo[a] ? 1 : 0;
  }
  return offsets;
}

// Calls f(copy) for what a fine block needs. Both sides call this with the same arguments, and so
// agree on what travels.
template <int D, class F>
void for_each_coarse_copy(const mesh::Geometry<D>& geometry, const mesh::Key<D>& fine,
                          std::type_identity_t<std::span<const Box<D>>> regions, int reach,
                          const F& f) {
  const mesh::Key<D> parent = geometry.parent(fine);
  const Box<D> centre = geometry.cells(parent);
  std::array<Box<D>, mesh::n_offsets<D>> needed{};
  for (const Box<D>& region : regions) {
    const Box<D> footprint = coarse_footprint(region, geometry.ratio(fine.level - 1), reach);
    for_each(blocks_touched(footprint, centre), [&](const Index<D>& offset) {
      // Not the cells of a block: around a periodic axis it may lie at two offsets.
      const Box<D> cells = centre.shifted(offset * geometry.block_cells());
      Box<D>& part = needed[static_cast<std::size_t>(mesh::offset_number(offset))];
      part = bounding(part, intersect(footprint, cells));
    });
  }
  for (int o = 0; o < mesh::n_offsets<D>; ++o) {
    const Box<D>& part = needed[static_cast<std::size_t>(o)];
    if (part.is_empty()) continue;
    const Index<D> offset = mesh::offset_at<D>(o);
    if (const auto src = geometry.neighbour(parent, offset))
      f(Copy<D>{*src, fine, part, geometry.wrap_shift(parent, offset)});
  }
}

// The fine side of a plan: what a block of this rank needs, and from whom. The regions are those of
// the plan from `first_region` on.
template <int D>
void collect_needs(const mesh::Forest<D>& forest, const mesh::Key<D>& fine,
                   std::size_t first_region, int reach, CoarsePlan<D>& plan,
                   detail::Collected<D>& collected) {
  const CoarsePatch<D> all{fine, {}, first_region, plan.regions.size() - first_region};
  if (all.n_regions == 0) return;
  const std::span<const Box<D>> regions = plan.regions_of(all);
  for_each_coarse_copy(forest.geometry, fine, regions, reach, [&](const Copy<D>& copy) {
    collected.take(forest.owner(copy.src), forest.rank, copy);
  });
  plan.patches.push_back(all);
  Box<D>& patch = plan.patches.back().patch;
  for (const Box<D>& region : regions)
    patch = bounding(patch, coarse_footprint(region, forest.geometry.ratio(fine.level - 1), reach));
}

// The coarse side of a plan: what this rank's blocks give to another rank's fine block.
template <int D>
void collect_gifts(const mesh::Forest<D>& forest, const mesh::Key<D>& fine, Rank owner,
                   std::type_identity_t<std::span<const Box<D>>> regions, int reach,
                   detail::Collected<D>& collected) {
  if (owner == forest.rank || regions.empty()) return;
  for_each_coarse_copy(forest.geometry, fine, regions, reach, [&](const Copy<D>& copy) {
    if (forest.owns(copy.src)) collected.sends.emplace_back(owner, copy);
  });
}

}  // namespace

template <int D>
CoarsePlan<D> plan_coarse_ghosts(const mesh::Forest<D>& forest,
                                 const mesh::NeighbourInfo<D>& neighbours,
                                 const PlanOptions& options) {
  detail::check(forest, neighbours, options, 1);
  const mesh::LevelSet<D>& set = forest.level(options.level);
  const auto& masks = neighbours.levels[static_cast<std::size_t>(options.level)].masks;

  CoarsePlan<D> plan;
  detail::Collected<D> collected;
  for (std::size_t i = 0; i < set.keys.size(); ++i) {
    const std::size_t first_region = plan.regions.size();
    add_missing_regions(forest.geometry, set.keys[i], masks[i], options.n_ghosts, plan.regions);
    collect_needs(forest, set.keys[i], first_region, options.coarse_reach, plan, collected);
  }
  std::vector<Box<D>> regions;
  for (const mesh::FineNeighbour<D>& fine : detail::fine_neighbours(neighbours, options.level)) {
    if (fine.owner == forest.rank) continue;
    regions.clear();
    add_missing_regions(forest.geometry, fine.key, fine.mask, options.n_ghosts, regions);
    collect_gifts(forest, fine.key, fine.owner, regions, options.coarse_reach, collected);
  }
  plan.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks);
  return plan;
}

template <int D>
mesh::Messages<mesh::Key<D>> send_new_blocks(
    const mesh::Forest<D>& forest, std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
    const PlanOptions& options) {
  mesh::Messages<mesh::Key<D>> out;
  std::vector<Rank> owners;
  for (const mesh::Key<D>& key : new_keys) {
    THALWEG_EXPECT(forest.has(key), "a new block belongs to this rank");
    owners.clear();
    const Box<D> cells = forest.geometry.cells(key);
    for_each_coarse_copy(forest.geometry, key, {&cells, 1}, options.coarse_reach,
                         [&](const Copy<D>& copy) { owners.push_back(forest.owner(copy.src)); });
    mesh::sort_unique(owners);
    for (const Rank owner : owners)
      if (owner != forest.rank) out.emplace_back(owner, key);
  }
  return out;
}

template <int D>
CoarsePlan<D> plan_coarse_interior(const mesh::Forest<D>& forest,
                                   std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
                                   const mesh::Messages<mesh::Key<D>>& arrived,
                                   const PlanOptions& options) {
  THALWEG_EXPECT(options.level >= 1, "level 0 has nothing coarser");
  THALWEG_EXPECT(std::ranges::is_sorted(new_keys), "patches are in the order of their blocks");

  CoarsePlan<D> plan;
  detail::Collected<D> collected;
  for (const mesh::Key<D>& key : new_keys) {
    THALWEG_EXPECT(key.level == options.level, "a new block is on the level of the plan");
    plan.regions.push_back(forest.geometry.cells(key));
    collect_needs(forest, key, plan.regions.size() - 1, options.coarse_reach, plan, collected);
  }
  for (const auto& [from, key] : arrived) {
    if (key.level != options.level) continue;
    const Box<D> cells = forest.geometry.cells(key);
    collect_gifts(forest, key, from, {&cells, 1}, options.coarse_reach, collected);
  }
  plan.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks);
  return plan;
}

#define THALWEG_INSTANTIATE(D)                                                                     \
  template CoarsePlan<D> plan_coarse_ghosts(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&, \
                                            const PlanOptions&);                                   \
  template mesh::Messages<mesh::Key<D>> send_new_blocks<D>(                                        \
      const mesh::Forest<D>&, std::span<const mesh::Key<D>>, const PlanOptions&);                  \
  template CoarsePlan<D> plan_coarse_interior<D>(                                                  \
      const mesh::Forest<D>&, std::span<const mesh::Key<D>>, const mesh::Messages<mesh::Key<D>>&,  \
      const PlanOptions&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
