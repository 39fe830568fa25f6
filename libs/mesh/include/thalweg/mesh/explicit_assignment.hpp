// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/assign_hilbert.hpp>
#include <thalweg/mesh/block_lists.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/remote_owners.hpp>

namespace thalweg::mesh {

/// Who gets which blocks of a level. The results of a run do not depend on it.
enum class Partitioner : std::uint8_t {
  morton,       ///< parts of Morton's curve: ranks know all owners from the parts' ends
  hilbert,      ///< parts of Hilbert's curve, where blocks that follow each other touch
  round_robin,  ///< one block after the other to one rank after the other
  knapsack,     ///< the heaviest block left to the rank with the least, of a group of ranks
};

// But for Morton's, blocks are assigned one by one: the parts of Morton's curve become what each
// rank *keeps*, that is knows the owners of. All of a regrid but the blocks themselves stays with
// the directory ranks, so its cost does not depend on the partitioner
// (docs/adr/0012-ownership-and-partitioning.md).

/// @errors Error where blocks would be assigned explicitly on more ranks than there is a table for
void check_explicit_assignment(Directory directory, int n_ranks);

/// What the assigning rank is told: a block's weight, block after block along Morton's curve.
struct WeightReport {
  std::int32_t list = 0;
  std::int64_t weight = 1;
};

/// Most blocks of a list that one rank assigns, give or take a rank's part: a list of 24 bytes a
/// block, and as much again while it is sent.
inline constexpr std::int64_t max_group_blocks = std::int64_t{1} << 20;

/// Ranks among whom one of them assigns the blocks of a list whose directory they are.
struct PartitionGroup {
  int first = 0;
  int n_ranks = 1;

  /// Lists have different assigning ranks, where the group has as many.
  Rank assigning_rank(int list) const { return Rank(first + list % n_ranks); }
};

/// The group of a rank: all ranks, or parts of equal numbers, so that none has too many blocks.
///
/// Ranks' parts of Morton's curve have equal weights, to within a block: so groups of equal numbers
/// of ranks have equal loads.
/// @param n_blocks  of the list, on all ranks
/// @param most      in a group
PartitionGroup partition_group(std::int64_t n_blocks, Rank rank, int n_ranks, std::int64_t most);

/// What the assigning rank answers to a weight report.
struct Assignment {
  std::int32_t list = 0;
  Rank owner;
};

/// A block as it is handed to its owner.
template <int D>
struct AssignedKey {
  Key<D> key;
  std::int64_t weight = 1;
  std::int64_t position = 0;  ///< along Morton's curve
};

/// The weights of this rank's blocks after they were sent to their owners, in the forest's order.
template <int D>
Weights weights_in(const Forest<D>& forest, const Messages<WeighedKey<D>>& owned);

/// First round: old owners tell the new directory ranks which blocks they have.
template <int D>
Messages<Key<D>> send_owned_keys(const Forest<D>& old, const Forest<D>& by_morton);
/// Who would own the blocks of a rank's directory if none moved: their current owners; new ones,
/// their directory rank.
template <int D>
Owners current_owners_of(const Forest<D>& by_morton, const Messages<Key<D>>& arrived);
/// Second round: tell these what they would have.
Messages<LevelLoad> send_current_loads(const Weights& weights, const Owners& owners_now);
/// Knapsack, a round: weights of blocks of lists that move are reported to the group's assigning
/// rank.
template <int D>
Messages<WeightReport> send_weight_reports(const BlockLists<D>& blocks, const Weights& weights,
                                           std::span<const LevelPartition> partitions,
                                           std::int64_t most);
/// Another round: what an assigning rank decides, in the order of the reports.
template <int D>
Messages<Assignment> assign_by_knapsack(const BlockLists<D>& blocks,
                                        const Messages<WeightReport>& reports, std::int64_t most);
/// The owners of the blocks of a rank's directory.
Owners owners_assigned(Owners owners_now, const Messages<Assignment>& assigned);

/// The owners of the blocks of a rank's directory, and how uneven the lists were.
struct Assigned {
  Owners owners;
  std::vector<LevelPartition> partitions;
};

/// Say who gets the blocks of lists that are less even than the threshold, one by one. Collective.
///
/// @param weights     of a rank's blocks, list by list
/// @param owners_now  who has them
/// @param n_old       lists that were owned before: others are divided always
/// @param most        blocks of a list that one rank assigns by knapsack
/// @cost  a round and a gathering, O(local blocks + n_ranks n_lists). Knapsack: two rounds more,
/// and a list of `most` blocks on the assigning rank of each list. Hilbert: assign_hilbert.hpp
template <int D, Collectives R>
Assigned assign(Partitioner method, const BlockLists<D>& blocks, const Weights& weights,
                Owners owners_now, int n_old, R& collectives, Threshold threshold,
                std::int64_t most = max_group_blocks) {
  const auto rank_loads =
      rank_loads_of(weights, collectives.exchange(send_current_loads(weights, owners_now)));
  auto partitions =
      level_partitions_of(collectives.all_gather_many(std::span<const RankLoad>(rank_loads)),
                          blocks.rank, blocks.n_ranks, n_old, threshold);
  switch (method) {
    case Partitioner::morton:
      THALWEG_EXPECT(false, "parts of Morton's curve are not assigned one by one");
      break;
    case Partitioner::hilbert:
      owners_now =
          owners_along_hilbert<D>(blocks, weights, std::move(owners_now), partitions, collectives);
      break;
    case Partitioner::round_robin:
      for (std::size_t l = 0; l < weights.size(); ++l)
        if (partitions[l].moves)
          owners_now[l] =
              assign_in_turn(weights[l].size(), blocks.lists[l].first_global, blocks.n_ranks);
      break;
    case Partitioner::knapsack: {
      const auto reports =
          collectives.exchange(send_weight_reports<D>(blocks, weights, partitions, most));
      owners_now =
          owners_assigned(std::move(owners_now),
                          collectives.exchange(assign_by_knapsack<D>(blocks, reports, most)));
      break;
    }
  }
  return {std::move(owners_now), std::move(partitions)};
}

/// Then a round: hand the blocks to their owners.
template <int D>
Messages<AssignedKey<D>> send_assigned(const Forest<D>& by_morton, const Weights& weights,
                                       const Owners& owners);
/// What a rank owns of each level, for all to know.
template <int D>
std::vector<RankRange> ranges_of_assigned(const Messages<AssignedKey<D>>& arrived,
                                          std::size_t n_levels);
/// The forest as owners have it, but for what is around.
/// @param partitions   of each level, or of all together
/// @param rank_ranges  of all levels of rank 0, then of rank 1 and so on
template <int D>
PartitionedForest<D> collect_assigned(const Forest<D>& by_morton,
                                      const Messages<AssignedKey<D>>& arrived,
                                      std::span<const LevelPartition> partitions,
                                      std::span<const RankRange> rank_ranges);
/// Hand the blocks to their owners. Collective.
/// @param owners, weights  level by level
/// @cost  three rounds and a gathering, O(local blocks + n_ranks n_levels)
template <int D, Collectives R>
PartitionedForest<D> hand_to_owners(const Forest<D>& by_morton, const Weights& weights,
                                    const Owners& owners,
                                    std::span<const LevelPartition> partitions, R& collectives) {
  const auto arrived = collectives.exchange(send_assigned(by_morton, weights, owners));
  const auto rank_ranges = ranges_of_assigned(arrived, by_morton.levels.size());
  auto result =
      collect_assigned<D>(by_morton, arrived, partitions,
                          collectives.all_gather_many(std::span<const RankRange>(rank_ranges)));
  result.forest = find_remote_owners(std::move(result.forest), collectives);
  return result;
}

/// Assign the blocks of levels that are less even than the threshold, one by one. Collective.
///
/// @param by_morton the new forest, cut along Morton's curve
/// @param weights  of this rank's part of it
/// @cost  a round more than `assign` and `hand_to_owners`
template <int D, Collectives R>
PartitionedForest<D> assign_explicitly(const Forest<D>& old, const Forest<D>& by_morton,
                                       const Weights& weights, R&& collectives, Threshold threshold,
                                       Partitioner partitioner,
                                       std::int64_t most = max_group_blocks) {
  const auto [owners, partitions] =
      assign(partitioner, lists_of(by_morton), weights,
             current_owners_of(by_morton, collectives.exchange(send_owned_keys(old, by_morton))),
             old.n_levels(), collectives, threshold, most);
  return hand_to_owners<D>(by_morton, weights, owners, partitions, collectives);
}

}  // namespace thalweg::mesh
