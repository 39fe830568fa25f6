// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

/// Partition each level anew along the curve, in three rounds. Collective.
///
/// @param sets  on every level, lower ranks' keys come before higher ranks'
template <int D, class Exchange>
Forest<D> partition(const Forest<D>& old, const KeySets<D>& sets, const Weights& weights,
                    Exchange&& exchange) {
  const auto shares = exchange(send_shares(sets, weights, old.n_ranks));
  const auto owned = exchange(send_to_owners(sets, weights, shares, old.rank, old.n_ranks));
  const int n_levels = static_cast<int>(sets.levels.size());
  return collect_forest(old, owned, exchange(send_extents(owned, n_levels, old.n_ranks)));
}

/// Make the smallest nested forest that has all wanted blocks, and partition it. Collective.
///
/// The wanted keys may come from any rank, more than once. Blocks not wanted, and not needed by
/// those that are, disappear. The same for any number of ranks, but for who owns what.
/// @param weigh  cost of a block: std::int64_t weigh(const Key<D>&), >= 1
/// @cost  n_levels + 3 rounds, O(local blocks)
template <int D, class Exchange, class Weigh>
Forest<D> regrid(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                 Exchange&& exchange, Weigh&& weigh) {
  KeySets<D> sets = collect_wanted(old, exchange(send_wanted(old, wanted)));
  for (int level = n_levels_after(old) - 2; level >= 1; --level)
    sets = collect_support(sets, exchange(send_support(old, sets, level)));

  Weights weights = unit_weights(sets);
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i] = weigh(sets.levels[l][i]);
  return partition(old, sets, weights, exchange);
}

/// As above, with all blocks of the same cost.
template <int D, class Exchange>
Forest<D> regrid(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                 Exchange&& exchange) {
  return regrid<D>(old, wanted, exchange, [](const Key<D>&) { return std::int64_t{1}; });
}

}  // namespace thalweg::mesh
