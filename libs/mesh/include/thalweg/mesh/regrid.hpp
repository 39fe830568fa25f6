// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/combine.hpp>
#include <thalweg/mesh/deal.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/others.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/rounds.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

/// As initial_forest, with the table of key ranges once a machine, or without a table. Collective.
///
/// The forests that regrids make of it know keepers as it does.
template <int D, Rounds R>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks, R&& rounds,
                         Directory directory) {
  if (directory == Directory::routed)
    return find_others(initial_routed_forest(geometry, rank, n_ranks), rounds);
  check_n_ranks(n_ranks);
  return initial_forest(
      geometry, rank, n_ranks,
      rounds.write_once(static_cast<std::size_t>(n_ranks) + 1, [&](std::span<std::uint64_t> to) {
        write_initial_splitters<D>(geometry, to);
      }));
}

/// As above, with a table where there is one for so many ranks. Collective.
template <int D, Rounds R>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks, R&& rounds) {
  return initial_forest(geometry, rank, n_ranks, rounds, directory_for(n_ranks));
}

/// This rank's part of the smallest nested set of keys that has all wanted ones. Collective.
/// @cost  n_levels - 1 rounds, O(local blocks), times log n_ranks where there is no table
template <int D, Rounds R>
KeySets<D> nested_sets(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                       R&& rounds) {
  const auto send = [&]<class To>() { return send_wanted<D, To>(old, wanted); };
  KeySets<D> sets = collect_wanted(old, to_keepers(old, rounds, send));
  for (int level = n_levels_after(old) - 2; level >= 1; --level) {
    const auto arrived =
        to_keepers(old, rounds, [&]<class To>() { return send_support<D, To>(old, sets, level); });
    sets = collect_support(std::move(sets), arrived);
  }
  return sets;
}

/// How each level is cut, from what this rank holds of it. Collective.
template <int D, Rounds R>
std::vector<LevelCut> find_cuts(const Forest<D>& old, const std::vector<Share>& shares, R& rounds,
                                Threshold threshold) {
  if (old.directory == Directory::table)
    return cuts_of(rounds.all_gather_many(std::span<const Share>(shares)), old.rank, old.n_ranks,
                   old.n_levels(), threshold);
  std::vector<ShareSum> mine;
  for (const Share& share : shares) mine.push_back({share.weight, share.stays});
  const auto sums = combine(mine, old.rank, old.n_ranks, rounds);
  return cuts_of(sums.before, sums.all, old.n_ranks, old.n_levels(), threshold);
}

/// The forest of what each rank owns now, with the table of who keeps what. Collective.
template <int D, Rounds R>
PartitionedForest<D> table_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                  std::span<const LevelCut> cuts, R& rounds) {
  const auto mine = extents_of(owned, cuts.size());
  const auto extents = rounds.all_gather_many(std::span<const Extent>(mine));
  const std::size_t n_splitters =
      n_levels_in(extents, old.n_ranks) * (static_cast<std::size_t>(old.n_ranks) + 1);
  auto splitters = rounds.write_once(n_splitters, [&](std::span<std::uint64_t> to) {
    write_splitters<D>(old.geometry, extents, old.n_ranks, to);
  });
  return collect_forest<D>(old, owned, cuts, extents, std::move(splitters));
}

/// The same without a table. Collective.
template <int D, Rounds R>
PartitionedForest<D> routed_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                   std::span<const LevelCut> cuts, R& rounds) {
  const auto mine = extents_of(owned, cuts.size());
  std::vector<ExtentSum> extents;
  for (const Extent& e : mine) extents.push_back({e.n_blocks, e.weight, e.weight});
  const auto sums = combine(extents, old.rank, old.n_ranks, rounds);
  auto result = collect_routed_forest<D>(old, owned, cuts, sums.before, sums.all);

  std::vector<std::uint64_t> firsts;
  std::vector<bool> is_first;
  for (std::size_t l = 0; l < result.forest.levels.size(); ++l) {
    firsts.push_back(mine[l].n_blocks > 0 ? mine[l].first_code
                                          : old.geometry.code_end(static_cast<int>(l)));
    is_first.push_back(sums.before[l].n_blocks == 0);
  }
  auto fingers = find_fingers(std::move(firsts), is_first, old.rank, old.n_ranks, rounds);
  for (std::size_t l = 0; l < fingers.size(); ++l)
    result.forest.levels[l].fingers = std::move(fingers[l]);
  result.forest = find_others(std::move(result.forest), rounds);
  return result;
}

/// Partition each level anew, where its imbalance is above the threshold. Collective.
///
/// @param sets  on every level, lower ranks' keys come before higher ranks'
/// @cost  along Morton's curve two rounds and two gatherings, O(local blocks + n_ranks n_levels),
///        or without a table 8 ceil(log2 n_ranks) rounds, O(local blocks log n_ranks); else see
///        deal.hpp
/// @errors Error where blocks would be dealt out without a table
template <int D, Rounds R>
PartitionedForest<D> partition(const Forest<D>& old, const KeySets<D>& sets, const Weights& weights,
                               R&& rounds, Threshold threshold = {},
                               Partitioner partitioner = Partitioner::morton) {
  const bool is_dealt = partitioner != Partitioner::morton;
  if (is_dealt) check_dealing(old.directory, old.n_ranks);
  const auto loads =
      to_keepers(old, rounds, [&]<class To>() { return send_loads<D, To>(old, sets, weights); });
  const auto cuts =
      find_cuts(old, shares_of(weights, loads), rounds, is_dealt ? Threshold{} : threshold);
  const auto owned = to_keepers(
      old, rounds, [&]<class To>() { return send_to_owners<D, To>(old, sets, weights, cuts); });
  auto kept = old.directory == Directory::table ? table_forest<D>(old, owned, cuts, rounds)
                                                : routed_forest<D>(old, owned, cuts, rounds);
  if (!is_dealt) return kept;
  return deal(old, kept.forest, weights_in<D>(kept.forest, owned), rounds, threshold, partitioner);
}

/// Divide the blocks of a forest that is cut along Morton's curve among ranks otherwise.
/// Collective.
template <int D, Rounds R>
Forest<D> dealt_forest(const Forest<D>& forest, R&& rounds, Partitioner partitioner) {
  if (partitioner == Partitioner::morton) return forest;
  check_dealing(forest.directory, forest.n_ranks);
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
