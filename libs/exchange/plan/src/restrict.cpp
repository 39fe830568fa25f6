// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/restrict.hpp>

#include <thalweg/core/dimensions.hpp>

#include <utility>

#include "detail.hpp"

namespace thalweg::exchange {

template <int D>
RestrictPlan<D> plan_restrict(const mesh::Forest<D>& forest,
                              const mesh::NeighbourInfo<D>& neighbours,
                              const PlanOptions& options) {
  detail::check(forest, neighbours, options, 1);
  const mesh::Geometry<D>& geometry = forest.geometry;
  const auto copy = [&](const mesh::Key<D>& fine) {
    return Copy<D>{fine,
                   geometry.parent(fine),
                   geometry.cells(fine).coarsened(geometry.ratio(fine.level - 1)),
                   {}};
  };

  detail::Collected<D> collected;
  for (const mesh::Key<D>& fine : forest.level(options.level).keys) {
    const Rank owner = forest.owner(geometry.parent(fine));
    if (owner == forest.rank)
      collected.locals.push_back(copy(fine));
    else
      collected.sends.emplace_back(owner, copy(fine));
  }
  for (const mesh::FineNeighbour<D>& fine : detail::fine_neighbours(neighbours, options.level))
    if (fine.owner != forest.rank && forest.owns(geometry.parent(fine.key)))
      collected.recvs.emplace_back(fine.owner, copy(fine.key));
  return {.transfers = detail::make_transfers(std::move(collected), options.max_comm_tasks)};
}

#define THALWEG_INSTANTIATE(D)                                                                  \
  template RestrictPlan<D> plan_restrict(const mesh::Forest<D>&, const mesh::NeighbourInfo<D>&, \
                                         const PlanOptions&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
