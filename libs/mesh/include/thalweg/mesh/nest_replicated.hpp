// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

// The same as regrid.hpp where every rank knows all blocks: for small runs, and as the oracle. It
// follows the definitions: whole sets of keys, counted from the first to the last.

/// All blocks of the smallest nested forest with the wanted ones, which may repeat. Pure.
/// @cost O(all blocks)
template <int D>
KeySets<D> nest_all(const Geometry<D>& geometry,
                    std::type_identity_t<std::span<const Key<D>>> wanted);

/// The next forest of a rank, from all blocks and their weights, cut along Morton's curve.
template <int D>
Forest<D> partition_all(const Forest<D>& old, const KeySets<D>& all, const Weights& weights);

/// Send what one wants to all ranks.
template <int D>
Messages<Key<D>> send_to_all(const Forest<D>& forest,
                             std::type_identity_t<std::span<const Key<D>>> wanted);

/// What regrid does along Morton's curve, bit by bit, with all blocks on every rank. Collective.
/// @param weigh  cost of a block: std::int64_t weigh(const Key<D>&), >= 1
/// @cost  a round, O(all blocks) of memory and time on every rank
template <int D, Collectives R, class Weigh>
Forest<D> regrid_replicated(const Forest<D>& old,
                            std::type_identity_t<std::span<const Key<D>>> wanted, R& collectives,
                            Weigh&& weigh) {
  std::vector<Key<D>> all_wanted;
  for (const auto& [from, key] : collectives.exchange(send_to_all<D>(old, wanted)))
    all_wanted.push_back(key);
  const KeySets<D> all = nest_all<D>(old.geometry, all_wanted);
  Weights weights;
  for (const auto& keys : all.levels) {
    weights.emplace_back();
    for (const Key<D>& key : keys) weights.back().push_back(weigh(key));
  }
  return partition_all(old, all, weights);
}

}  // namespace thalweg::mesh
