// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/deal.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// As initial_forest, with the table of key ranges once a machine. Collective.
template <int D, Rounds R>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks, R&& rounds) {
  check_n_ranks(n_ranks);
  return initial_forest(
      geometry, rank, n_ranks,
      rounds.write_once(static_cast<std::size_t>(n_ranks) + 1, [&](std::span<std::uint64_t> to) {
        write_initial_splitters<D>(geometry, to);
      }));
}

/// This rank's part of the smallest nested set of keys that has all wanted ones. Collective.
/// @cost  n_levels - 1 rounds, O(local blocks)
template <int D, Rounds R>
KeySets<D> nested_sets(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                       R&& rounds) {
  KeySets<D> sets = collect_wanted(old, rounds.exchange(send_wanted(old, wanted)));
  for (int level = n_levels_after(old) - 2; level >= 1; --level) {
    const auto arrived = rounds.exchange(send_support(old, sets, level));
    sets = collect_support(std::move(sets), arrived);
  }
  return sets;
}

/// Partition each level anew, where its imbalance is above the threshold. Collective.
///
/// @param sets  on every level, lower ranks' keys come before higher ranks'
/// @cost  along Morton's curve two rounds and two gatherings, O(local blocks + n_ranks n_levels);
///        else see deal.hpp
template <int D, Rounds R>
PartitionedForest<D> partition(const Forest<D>& old, const KeySets<D>& sets, const Weights& weights,
                               R&& rounds, Threshold threshold = {},
                               Partitioner partitioner = Partitioner::morton) {
  const bool is_dealt = partitioner != Partitioner::morton;
  const auto shares = shares_of(weights, rounds.exchange(send_loads(old, sets, weights)));
  const auto cuts = cuts_of(rounds.all_gather_many(std::span<const Share>(shares)), old.rank,
                            old.n_ranks, old.n_levels(), is_dealt ? Threshold{} : threshold);
  const auto owned = rounds.exchange(send_to_owners<D>(old, sets, weights, cuts));
  const auto mine = extents_of(owned, cuts.size());
  const auto extents = rounds.all_gather_many(std::span<const Extent>(mine));
  const std::size_t n_splitters =
      n_levels_in(extents, old.n_ranks) * (static_cast<std::size_t>(old.n_ranks) + 1);
  auto splitters = rounds.write_once(n_splitters, [&](std::span<std::uint64_t> to) {
    write_splitters<D>(old.geometry, extents, old.n_ranks, to);
  });
  auto kept = collect_forest<D>(old, owned, cuts, extents, std::move(splitters));
  if (!is_dealt) return kept;
  return deal(old, kept.forest, weights_in<D>(kept.forest, owned), rounds, threshold, partitioner);
}

/// Divide the blocks of a forest that is cut along Morton's curve among ranks otherwise.
/// Collective.
template <int D, Rounds R>
Forest<D> dealt_forest(const Forest<D>& forest, R&& rounds, Partitioner partitioner) {
  if (partitioner == Partitioner::morton) return forest;
  KeySets<D> sets;
  for (const LevelSet<D>& set : forest.levels) sets.levels.push_back(set.keys);
  return deal(forest, forest, unit_weights(sets), rounds, {}, partitioner).forest;
}

/// Make the smallest nested forest that has all wanted blocks, and partition it. Collective.
///
/// The wanted keys may come from any rank, more than once. Blocks not wanted, and not needed by
/// those that are, disappear. The same for any number of ranks, but for who owns what.
/// @param weigh  cost of a block: std::int64_t weigh(const Key<D>&), >= 1
/// @cost  n_levels + 1 rounds and two gatherings, O(local blocks + n_ranks n_levels); what deal
///        takes besides, unless along Morton's curve
template <int D, Rounds R, class Weigh>
PartitionedForest<D> regrid(const Forest<D>& old,
                            std::type_identity_t<std::span<const Key<D>>> wanted, R&& rounds,
                            Weigh&& weigh, Threshold threshold = {},
                            Partitioner partitioner = Partitioner::morton) {
  const KeySets<D> sets = nested_sets(old, wanted, rounds);
  Weights weights = unit_weights(sets);
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i] = weigh(sets.levels[l][i]);
  return partition(old, sets, weights, rounds, threshold, partitioner);
}

/// As above, with all blocks of the same cost.
template <int D, Rounds R>
Forest<D> regrid(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                 R&& rounds) {
  return regrid<D>(old, wanted, rounds, [](const Key<D>&) { return std::int64_t{1}; }).forest;
}

}  // namespace thalweg::mesh
