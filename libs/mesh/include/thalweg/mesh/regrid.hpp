// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/nest.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/remote_owners.hpp>
#include <thalweg/mesh/route.hpp>
#include <thalweg/mesh/scan.hpp>

namespace thalweg::mesh {

/// As initial_forest, with the table of key ranges once a compute node, or without a table.
/// Collective.
///
/// The forests that regrids make of it find directory ranks as it does.
template <int D, Collectives R>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks, R&& collectives,
                         Directory directory) {
  if (directory == Directory::routed)
    return find_remote_owners(initial_routed_forest(geometry, rank, n_ranks), collectives);
  check_n_ranks(n_ranks);
  return initial_forest(geometry, rank, n_ranks,
                        collectives.write_node_shared(static_cast<std::size_t>(n_ranks) + 1,
                                                      [&](std::span<std::uint64_t> to) {
                                                        write_initial_splitters<D>(geometry, to);
                                                      }));
}

/// As above, with a table where there is one for so many ranks. Collective.
template <int D, Collectives R>
Forest<D> initial_forest(const Geometry<D>& geometry, Rank rank, int n_ranks, R&& collectives) {
  return initial_forest(geometry, rank, n_ranks, collectives, directory_for(n_ranks));
}

/// This rank's part of the smallest nested set of keys that has all wanted ones. Collective.
/// @cost  n_levels - 1 rounds, O(local blocks), times log n_ranks where there is no table
template <int D, Collectives R>
KeySets<D> nested_sets(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                       R&& collectives) {
  KeySets<D> sets =
      collect_wanted(old, exchange_with_directory(old, collectives, send_wanted<D>(old, wanted)));
  for (int level = n_levels_after(old) - 2; level >= 1; --level) {
    const auto arrived =
        exchange_with_directory(old, collectives, send_support<D>(old, sets, level));
    sets = collect_support(std::move(sets), arrived);
  }
  return sets;
}

/// How each level is cut, from what this rank holds of it. Collective.
template <int D, Collectives R>
std::vector<LevelPartition> find_level_partitions(const Forest<D>& old,
                                                  const std::vector<RankLoad>& rank_loads,
                                                  R& collectives, Threshold threshold) {
  if (old.has_table())
    return level_partitions_of(collectives.all_gather_many(std::span<const RankLoad>(rank_loads)),
                               old.rank, old.n_ranks, old.n_levels(), threshold);
  std::vector<RankLoadSum> mine;
  for (const RankLoad& load : rank_loads) mine.push_back({load.weight, load.retained});
  const auto sums = scan_all_reduce(mine, old.rank, old.n_ranks, collectives);
  return level_partitions_of(sums.before, sums.all, old.n_ranks, old.n_levels(), threshold);
}

/// The forest of what each rank owns now, with the table of directory ranks. Collective.
template <int D, Collectives R>
PartitionedForest<D> table_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                  std::span<const LevelPartition> partitions, R& collectives) {
  const auto mine = rank_ranges_of(owned, partitions.size());
  const auto rank_ranges = collectives.all_gather_many(std::span<const RankRange>(mine));
  const std::size_t n_splitters =
      n_levels_in(rank_ranges, old.n_ranks) * (static_cast<std::size_t>(old.n_ranks) + 1);
  auto splitters = collectives.write_node_shared(n_splitters, [&](std::span<std::uint64_t> to) {
    write_splitters<D>(old.geometry, rank_ranges, old.n_ranks, to);
  });
  return collect_forest<D>(old, owned, partitions, rank_ranges, std::move(splitters));
}

/// The same without a table. Collective.
template <int D, Collectives R>
PartitionedForest<D> routed_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                   std::span<const LevelPartition> partitions, R& collectives) {
  const auto mine = rank_ranges_of(owned, partitions.size());
  std::vector<RankRangeSum> rank_ranges;
  for (const RankRange& range : mine)
    rank_ranges.push_back({range.n_blocks, range.weight, range.weight});
  const auto sums = scan_all_reduce(rank_ranges, old.rank, old.n_ranks, collectives);
  auto result = collect_routed_forest<D>(old, owned, partitions, sums.before, sums.all);

  std::vector<std::uint64_t> firsts;
  std::vector<bool> is_first;
  for (std::size_t l = 0; l < result.forest.levels.size(); ++l) {
    firsts.push_back(mine[l].n_blocks > 0 ? mine[l].first_code
                                          : old.geometry.code_end(static_cast<int>(l)));
    is_first.push_back(sums.before[l].n_blocks == 0);
  }
  auto routing_tables =
      find_routing_tables(std::move(firsts), is_first, old.rank, old.n_ranks, collectives);
  for (std::size_t l = 0; l < routing_tables.size(); ++l)
    result.forest.levels[l].directory = {old.rank, old.n_ranks, std::move(routing_tables[l]),
                                         old.geometry.code_end(static_cast<int>(l))};
  result.forest = find_remote_owners(std::move(result.forest), collectives);
  return result;
}

/// Partition each level anew, where its imbalance is above the threshold. Collective.
///
/// @param sets  on every level, lower ranks' keys come before higher ranks'
/// @cost  along Morton's curve two rounds and two gatherings, O(local blocks + n_ranks n_levels),
///        or without a table 8 ceil(log2 n_ranks) rounds, O(local blocks log n_ranks); else see
///        explicit_assignment.hpp
/// @errors Error where blocks would be assigned explicitly without a table
template <int D, Collectives R>
PartitionedForest<D> partition(const Forest<D>& old, const KeySets<D>& sets, const Weights& weights,
                               R&& collectives, Threshold threshold = {},
                               Partitioner partitioner = Partitioner::morton) {
  const bool has_explicit_owners = partitioner != Partitioner::morton;
  if (has_explicit_owners) check_explicit_assignment(old.directory(), old.n_ranks);
  const auto loads = exchange_with_directory(old, collectives, send_loads<D>(old, sets, weights));
  const auto partitions = find_level_partitions(old, rank_loads_of(weights, loads), collectives,
                                                has_explicit_owners ? Threshold{} : threshold);
  const auto owned =
      exchange_with_directory(old, collectives, send_to_owners<D>(old, sets, weights, partitions));
  auto by_morton = old.has_table() ? table_forest<D>(old, owned, partitions, collectives)
                                   : routed_forest<D>(old, owned, partitions, collectives);
  if (!has_explicit_owners) return by_morton;
  return assign_explicitly(old, by_morton.forest, weights_in<D>(by_morton.forest, owned),
                           collectives, threshold, partitioner);
}

/// Divide the blocks of a forest that is cut along Morton's curve among ranks otherwise.
/// Collective.
template <int D, Collectives R>
Forest<D> reassigned_forest(const Forest<D>& forest, R&& collectives, Partitioner partitioner) {
  if (partitioner == Partitioner::morton) return forest;
  check_explicit_assignment(forest.directory(), forest.n_ranks);
  KeySets<D> sets;
  for (const LevelSet<D>& set : forest.levels) sets.levels.push_back(set.keys);
  return assign_explicitly(forest, forest, unit_weights(sets), collectives, {}, partitioner).forest;
}

/// Make the smallest nested forest that has all wanted blocks, and partition it. Collective.
///
/// The wanted keys may come from any rank, more than once. Blocks not wanted, and not needed by
/// those that are, disappear. The same for any number of ranks, but for who owns what.
/// @param weigh  cost of a block: std::int64_t weigh(const Key<D>&), >= 1
/// @cost  n_levels + 1 rounds and two gatherings, O(local blocks + n_ranks n_levels); what
/// assign_explicitly takes besides, unless along Morton's curve
template <int D, Collectives R, class Weigh>
PartitionedForest<D> regrid(const Forest<D>& old,
                            std::type_identity_t<std::span<const Key<D>>> wanted, R&& collectives,
                            Weigh&& weigh, Threshold threshold = {},
                            Partitioner partitioner = Partitioner::morton) {
  const KeySets<D> sets = nested_sets(old, wanted, collectives);
  Weights weights = unit_weights(sets);
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i] = weigh(sets.levels[l][i]);
  return partition(old, sets, weights, collectives, threshold, partitioner);
}

/// As above, with all blocks of the same cost.
template <int D, Collectives R>
Forest<D> regrid(const Forest<D>& old, std::type_identity_t<std::span<const Key<D>>> wanted,
                 R&& collectives) {
  return regrid<D>(old, wanted, collectives, [](const Key<D>&) { return std::int64_t{1}; }).forest;
}

}  // namespace thalweg::mesh
