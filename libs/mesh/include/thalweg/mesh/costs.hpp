// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/route.hpp>
#include <thalweg/mesh/scan.hpp>

namespace thalweg::mesh {

/// What is known of a level's costs on one rank, to be added over all.
struct CostSum {
  std::int64_t cost = 0;
  std::int64_t n_blocks = 0;  ///< that have a known cost
};

constexpr CostSum combined(const CostSum& a, const CostSum& b) {
  return {saturated_sum(a.cost, b.cost), a.n_blocks + b.n_blocks};
}

/// A round: tell the ranks that decide whether this rank's blocks stay what they cost: the
/// directory ranks of their parents, or of leaves their own.
/// @param costs  of the old forest's blocks, level by level, in their order; 0: not known
template <int D>
Outgoing<WeighedKey<D>> send_costs(const Forest<D>& old, const Weights& costs);
template <int D>
Outgoing<WeighedKey<D>> send_leaf_costs(const Forest<D>& old, const Weights& costs);
/// What this rank knows of each level of the old forest, for all ranks to know.
/// @errors Error where the costs of a level sum to more than 2^62
std::vector<CostSum> cost_sums(const Weights& costs);
/// The weights of keys: what their blocks cost, or else the mean of their level, or of the next
/// coarser one of which something is known; 1 where nothing is.
/// @param sums  of all levels of rank 0, then of rank 1 and so on; or those of all ranks as one's
template <int D>
Weights weights_of(const KeySets<D>& sets, const Messages<WeighedKey<D>>& arrived,
                   std::span<const CostSum> sums, int n_ranks);

/// Weigh keys by what ranks were told of costs. Collective.
template <int D, Collectives R>
Weights weights_by_cost(const Forest<D>& old, const KeySets<D>& sets, const Weights& costs,
                        const Messages<WeighedKey<D>>& arrived, R& collectives) {
  const std::vector<CostSum> sums = cost_sums(costs);
  if (!old.has_table()) {
    const auto all = scan_all_reduce(sums, old.rank, old.n_ranks, collectives).all;
    return weights_of<D>(sets, arrived, all, 1);
  }
  return weights_of<D>(sets, arrived, collectives.all_gather_many(std::span<const CostSum>(sums)),
                       old.n_ranks);
}

/// Weigh the blocks of a regrid by what those of the old forest cost. Collective.
/// @param costs  of the old forest's blocks on this rank, at any unit; 0: not known
/// @cost  a round and a gathering, O(local blocks + n_ranks n_levels); without a table rounds alone
template <int D, Collectives R>
Weights weights_by_cost(const Forest<D>& old, const KeySets<D>& sets, const Weights& costs,
                        R&& collectives) {
  const auto arrived = exchange_with_directory(old, collectives, send_costs<D>(old, costs));
  return weights_by_cost(old, sets, costs, arrived, collectives);
}

}  // namespace thalweg::mesh
