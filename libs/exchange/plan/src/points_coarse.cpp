// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/points.hpp>

#include <thalweg/core/dimensions.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "detail.hpp"
#include "pieces.hpp"
#include "points_detail.hpp"

namespace thalweg::exchange {
namespace {

// What a fine block needs of the coarser level to interpolate regions of its points.
template <int D>
struct Need {
  Box<D> patch;
  std::vector<Copy<D>> copies;

  Need(const mesh::Geometry<D>& geometry, const mesh::Key<D>& fine,
       const std::vector<Box<D>>& regions, const Centring<D>& centring, int reach) {
    std::vector<Box<D>> footprints;
    for (const Box<D>& region : regions) {
      footprints.push_back(centring.coarsened(region, geometry.ratio(fine.level - 1), reach));
      patch = bounding(patch, footprints.back());
    }
    detail::for_each_owner(
        geometry, geometry.parent(fine), footprints, centring,
        [&](const mesh::Key<D>& owner, const Box<D>& part, const Index<D>& shift) {
          copies.push_back({owner, fine, part, shift});
        });
  }
};

/// A fine block, its owner, and those of its points that are to be interpolated.
template <int D>
struct Request {
  mesh::Key<D> fine;
  Rank owner;
  std::vector<Box<D>> regions;
};

// What both sides make of the requests that concern them.
template <int D>
CoarsePlan<D> plan_requests(const mesh::Forest<D>& forest, const std::vector<Request<D>>& requests,
                            const Centring<D>& centring, const PlanOptions& options) {
  CoarsePlan<D> plan;
  detail::Collected<D> collected;
  for (const auto& [fine, owner, regions] : requests) {
    if (regions.empty()) continue;
    const Need<D> need(forest.geometry, fine, regions, centring, options.coarse_reach);
    for (const Copy<D>& copy : need.copies) {
      if (owner == forest.rank)
        collected.take(forest.owner(copy.src), forest.rank, copy);
      else if (forest.owns(copy.src))
        collected.sends.emplace_back(owner, copy);
    }
    if (owner != forest.rank) continue;
    plan.patches.push_back({fine, need.patch, plan.regions.size(), regions.size()});
    plan.regions.insert(plan.regions.end(), regions.begin(), regions.end());
  }
  plan.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks);
  return plan;
}

}  // namespace

template <int D>
CoarsePlan<D> plan_coarse_ghost_points(const mesh::Forest<D>& forest,
                                       const mesh::NeighbourInfo<D>& neighbours,
                                       const Centring<D>& centring, const PlanOptions& options) {
  detail::check_points(forest, neighbours, options, 1);
  const mesh::Geometry<D>& geometry = forest.geometry;
  std::vector<Request<D>> requests;
  detail::for_each_neighbour(
      forest, neighbours, options.level, [&](const auto& key, const auto& mask, Rank owner) {
        std::vector<Box<D>> missing;
        detail::for_each_piece(geometry.cells(key), centring, options.n_ghosts,
                               [&](const detail::Piece<D>& piece) {
                                 const auto has = [&](const Index<D>& o) { return mask.has(o); };
                                 const auto is_inside = [&](const Index<D>& o) {
                                   return geometry.neighbour(key, o).has_value();
                                 };
                                 if (!piece.first_block(has) && piece.first_block(is_inside))
                                   missing.push_back(piece.points);
                               });
        detail::join(missing);
        requests.push_back({key, owner, std::move(missing)});
      });
  return plan_requests(forest, requests, centring, options);
}

template <int D>
CoarsePlan<D> plan_coarse_interior_points(
    const mesh::Forest<D>& forest, std::type_identity_t<std::span<const mesh::Key<D>>> new_keys,
    const mesh::Messages<mesh::Key<D>>& arrived, const Centring<D>& centring,
    const PlanOptions& options) {
  THALWEG_EXPECT(options.level >= 1, "level 0 has nothing coarser");
  THALWEG_EXPECT(std::ranges::is_sorted(new_keys), "patches are in the order of their blocks");
  std::vector<Request<D>> requests;
  const auto request = [&](const mesh::Key<D>& key, Rank owner) {
    requests.push_back({key, owner, {centring.points(forest.geometry.cells(key))}});
  };
  for (const mesh::Key<D>& key : new_keys) request(key, forest.rank);
  for (const auto& [from, key] : arrived)
    if (key.level == options.level) request(key, from);
  return plan_requests(forest, requests, centring, options);
}

#define THALWEG_INSTANTIATE(D)                                                                    \
  template CoarsePlan<D> plan_coarse_ghost_points(const mesh::Forest<D>&,                         \
                                                  const mesh::NeighbourInfo<D>&,                  \
                                                  const Centring<D>&, const PlanOptions&);        \
  template CoarsePlan<D> plan_coarse_interior_points<D>(                                          \
      const mesh::Forest<D>&, std::span<const mesh::Key<D>>, const mesh::Messages<mesh::Key<D>>&, \
      const Centring<D>&, const PlanOptions&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
