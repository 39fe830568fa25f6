// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// This rank's part of a set of keys, level by level, each sorted.
///
/// On every level a lower rank's keys come before a higher rank's.
template <int D>
struct KeySets {
  std::vector<std::vector<Key<D>>> levels;

  bool operator==(const KeySets&) const = default;
};

/// The cost of each key of a KeySets, in any unit, at least 1. Integers, so that sums are exact.
using Weights = std::vector<std::vector<std::int64_t>>;

/// A key and the cost of its block.
template <int D>
struct WeighedKey {
  Key<D> key;
  std::int64_t weight = 1;
};

/// When blocks move: only where the imbalance, largest load over mean load, exceeds this. 1:
/// always.
struct Threshold {
  double imbalance = 1;
};

/// How uneven the loads of a level are before and after it is partitioned.
///
/// Before: had every block gone to the rank that owned its place. Equal where none was moved.
struct LevelImbalance {
  double before = 1;
  double after = 1;
};

/// A forest that was partitioned, and what that was good for.
template <int D>
struct PartitionedForest {
  Forest<D> forest;
  std::vector<LevelImbalance> imbalance;  ///< by level
};

/// What would come to a rank of one level if every place kept its owner.
struct LevelLoad {
  std::int32_t level = 0;
  std::int64_t weight = 0;
};

/// A rank's load of one level before it is partitioned.
struct RankLoad {
  std::int64_t weight = 0;
  std::int64_t retained = 0;  ///< weight that it would have if every place kept its owner
};

/// The loads of several ranks of one level together.
struct RankLoadSum {
  std::int64_t weight = 0;         ///< more than 2^62: that and more
  std::int64_t most_retained = 0;  ///< the largest RankLoad::retained
};

/// Add to a sum that is multiplied by twice a number of ranks later: so it is at most 2^62.
/// @param what  is added: "the weights of ..."
/// @errors Error where the sum would be more
void add_checked(std::int64_t& sum, std::int64_t x, std::string_view what);

/// A sum that is above 2^62 if it was once: so all ranks see it, in whichever order they add.
constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  const std::int64_t too_much = (std::int64_t{1} << 62) + 1;
  return b > too_much - a ? too_much : a + b;
}

constexpr RankLoadSum combined(const RankLoadSum& a, const RankLoadSum& b) {
  return {saturated_sum(a.weight, b.weight), std::max(a.most_retained, b.most_retained)};
}

/// The partition of one level: where this rank's keys begin on the curve, by weight, or as before.
struct LevelPartition {
  std::int64_t before = 0;  ///< weight on lower ranks
  std::int64_t total = 0;   ///< weight on all ranks
  bool moves = true;        ///< false: every place keeps its owner
  double imbalance = 1;     ///< if every place kept its owner
};

/// What a rank owns of one level after it is partitioned.
struct RankRange {
  std::int64_t n_blocks = 0;
  std::int64_t weight = 0;
  std::uint64_t first_code = 0;  ///< meaningful where n_blocks > 0
};

/// What several ranks own of one level together.
struct RankRangeSum {
  std::int64_t n_blocks = 0;
  std::int64_t weight = 0;
  std::int64_t most_weight = 0;  ///< of one rank
};

constexpr RankRangeSum combined(const RankRangeSum& a, const RankRangeSum& b) {
  return {a.n_blocks + b.n_blocks, a.weight + b.weight, std::max(a.most_weight, b.most_weight)};
}

/// Which rank gets a block, from the weight that comes before it on the curve and its own.
///
/// The rank whose equal part of the total holds the middle of the block: with equal weights the
/// ranks' counts differ by at most one, and fewer blocks than ranks are spread evenly.
/// @pre 0 <= before, 0 < weight, before + weight <= total
Rank chunk_owner(std::int64_t before, std::int64_t weight, std::int64_t total, int n_ranks);
/// The first of n blocks of equal weight that a rank gets: chunk_owner's inverse.
/// @pre 0 <= n_blocks <= 2^62, 0 <= rank <= n_ranks
std::int64_t chunk_begin(std::int64_t n_blocks, int rank, int n_ranks);

/// The same weight, 1, for all keys.
template <int D>
Weights unit_weights(const KeySets<D>& sets);

/// Partition each level, first round: tell the owners of places what they would have of them.
template <int D>
Outgoing<LevelLoad> send_loads(const Forest<D>& old, const KeySets<D>& sets,
                               const Weights& weights);
/// What a rank holds of each level, for all ranks to know.
/// @errors Error where the weights of a level sum to more than 2^62
std::vector<RankLoad> rank_loads_of(const Weights& weights, const Messages<LevelLoad>& arrived);
/// How each level is cut, from the loads of all levels of rank 0, then of rank 1 and so on.
/// @param n_old  levels of the old forest: only these have places that were owned
/// @errors Error where the weights of a level sum to more than 2^62
std::vector<LevelPartition> level_partitions_of(std::span<const RankLoad> rank_loads, Rank rank,
                                                int n_ranks, int n_old, Threshold threshold);
/// The same from sums over lower ranks and over all, by level.
std::vector<LevelPartition> level_partitions_of(std::span<const RankLoadSum> before,
                                                std::span<const RankLoadSum> all, int n_ranks,
                                                int n_old, Threshold threshold);
/// Second round: send each key to its new owner.
template <int D>
Outgoing<WeighedKey<D>> send_to_owners(const Forest<D>& old, const KeySets<D>& sets,
                                       const Weights& weights,
                                       std::span<const LevelPartition> partitions);
/// What this rank now owns of each level, for all ranks to know. Takes what arrived.
template <int D>
std::vector<RankRange> rank_ranges_of(const Messages<WeighedKey<D>>& owned, std::size_t n_levels);
/// Levels that have blocks, from the ranges of all levels of rank 0, then of rank 1 and so on.
std::size_t n_levels_in(std::span<const RankRange> rank_ranges, int n_ranks);
/// The splitters of these levels, those of all ranks for level 0, then for level 1 and so on.
/// @param to  for one more rank than there is a level
template <int D>
void write_splitters(const Geometry<D>& geometry, std::span<const RankRange> rank_ranges,
                     int n_ranks, std::span<std::uint64_t> to);
/// The partitioned forest, one revision after the old one, from what arrived and all ranges.
/// @param splitters  as written above; none: the rank makes its own
template <int D>
PartitionedForest<D> collect_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                    std::span<const LevelPartition> partitions,
                                    std::span<const RankRange> rank_ranges,
                                    NodeSharedArray<std::uint64_t> splitters = {});
/// The same where there is no table, from sums over lower ranks and over all, by level.
///
/// Without a routing table, and without the owners of remote neighbours.
template <int D>
PartitionedForest<D> collect_routed_forest(const Forest<D>& old,
                                           const Messages<WeighedKey<D>>& owned,
                                           std::span<const LevelPartition> partitions,
                                           std::span<const RankRangeSum> before,
                                           std::span<const RankRangeSum> all);

}  // namespace thalweg::mesh
