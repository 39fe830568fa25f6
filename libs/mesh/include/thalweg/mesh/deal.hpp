// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/deal_hilbert.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/others.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// Who gets which blocks of a level. The results of a run do not depend on it.
enum class Partitioner : std::uint8_t {
  morton,       ///< parts of Morton's curve: ranks know all owners from the parts' ends
  hilbert,      ///< parts of Hilbert's curve, where blocks that follow each other touch
  round_robin,  ///< one block after the other to one rank after the other
  knapsack,     ///< the heaviest block left to the rank with the least, of a group of ranks
};

// But for Morton's, blocks are dealt out one by one: the parts of Morton's curve become what each
// rank *keeps*, that is knows the owners of. All of a regrid but the blocks themselves stays with
// the keepers, so its cost does not depend on the partitioner (docs/adr/0013-partitioning.md).

/// @errors Error where blocks would be dealt out on more ranks than there is a table for
void check_dealing(Directory directory, int n_ranks);

/// What is offered to a dealer: a block's weight, block after block along Morton's curve.
struct Offer {
  std::int32_t level = 0;
  std::int64_t weight = 1;
};

/// Most blocks of a level that one rank deals out, give or take a rank's part: a list of 24 bytes a
/// block, and as much again while it is sent.
inline constexpr std::int64_t most_dealt = std::int64_t{1} << 20;

/// Ranks among whom one of them deals out the blocks of a level that they keep.
struct DealGroup {
  int first = 0;
  int n_ranks = 1;

  /// Levels have different dealers, where the group has as many ranks.
  Rank dealer(int level) const { return Rank(first + level % n_ranks); }
};

/// The group of a rank: all ranks, or parts of equal numbers, so that none has too many blocks.
///
/// What ranks keep weighs the same to a block each, so even groups are even ranks.
/// @param n_blocks  of the level, on all ranks
/// @param most      in a group
DealGroup deal_group(std::int64_t n_blocks, Rank rank, int n_ranks, std::int64_t most);

/// What the dealer says to an offer.
struct Dealt {
  std::int32_t level = 0;
  Rank owner;
};

/// A block as it is handed to its owner.
template <int D>
struct DealtKey {
  Key<D> key;
  std::int64_t weight = 1;
  std::int64_t position = 0;  ///< along Morton's curve
};

/// The weights of this rank's blocks after they were sent to their owners, in the forest's order.
template <int D>
Weights weights_in(const Forest<D>& forest, const Messages<WeighedKey<D>>& owned);

/// First round: old owners tell the new keepers which blocks they have.
template <int D>
Messages<Key<D>> send_holdings(const Forest<D>& old, const Forest<D>& kept);
/// Who would own the blocks that a rank keeps if none moved; new ones, their keeper.
template <int D>
Owners holders_of(const Forest<D>& kept, const Messages<Key<D>>& arrived);
/// Second round: tell these what they would have.
Messages<LevelLoad> send_kept_loads(const Weights& weights, const Owners& holders);
/// For round robin: the owners of the blocks that a rank keeps, on levels that move.
template <int D>
Owners owners_in_turn(const Forest<D>& kept, Owners holders, std::span<const LevelCut> cuts);
/// Knapsack, a round: blocks of levels that move are offered to the dealer of the group.
template <int D>
Messages<Offer> send_offers(const Forest<D>& kept, const Weights& weights,
                            std::span<const LevelCut> cuts, std::int64_t most);
/// Another round: what a dealer decides, in the order of the offers.
template <int D>
Messages<Dealt> deal_out(const Forest<D>& kept, const Messages<Offer>& offers, std::int64_t most);
/// The owners of the blocks that a rank keeps.
Owners owners_dealt(Owners holders, const Messages<Dealt>& dealt);
/// Then a round: hand the blocks to their owners.
template <int D>
Messages<DealtKey<D>> send_dealt(const Forest<D>& kept, const Weights& weights,
                                 const Owners& owners);
/// What a rank owns of each level, for all to know.
template <int D>
std::vector<Extent> extents_of_dealt(const Messages<DealtKey<D>>& arrived, std::size_t n_levels);
/// The forest as owners have it, but for what is around.
/// @param extents  of all levels of rank 0, then of rank 1 and so on
template <int D>
PartitionedForest<D> collect_dealt(const Forest<D>& kept, const Messages<DealtKey<D>>& arrived,
                                   std::span<const LevelCut> cuts, std::span<const Extent> extents);
/// Deal out the blocks of levels that are less even than the threshold. Collective.
///
/// @param kept     the new forest, cut along Morton's curve
/// @param weights  of this rank's part of it
/// @param most     blocks of a level that one rank deals out by knapsack
/// @cost  five rounds and two gatherings, O(local blocks + n_ranks n_levels). Knapsack: two rounds
///        more, and a list of `most` blocks on the dealer of each level. Hilbert: deal_hilbert.hpp
template <int D, Rounds R>
PartitionedForest<D> deal(const Forest<D>& old, const Forest<D>& kept, const Weights& weights,
                          R&& rounds, Threshold threshold, Partitioner partitioner,
                          std::int64_t most = most_dealt) {
  Owners holders = holders_of(kept, rounds.exchange(send_holdings(old, kept)));
  const auto shares = shares_of(weights, rounds.exchange(send_kept_loads(weights, holders)));
  const auto cuts = cuts_of(rounds.all_gather_many(std::span<const Share>(shares)), kept.rank,
                            kept.n_ranks, old.n_levels(), threshold);
  const auto divide = [&] {
    switch (partitioner) {
      case Partitioner::hilbert:
        return owners_along_hilbert<D>(kept, weights, std::move(holders), cuts, rounds);
      case Partitioner::round_robin:
        return owners_in_turn<D>(kept, std::move(holders), cuts);
      default: {
        const auto offers = rounds.exchange(send_offers<D>(kept, weights, cuts, most));
        return owners_dealt(std::move(holders), rounds.exchange(deal_out<D>(kept, offers, most)));
      }
    }
  };
  const Owners owners = divide();
  const auto arrived = rounds.exchange(send_dealt(kept, weights, owners));
  const auto extents = extents_of_dealt(arrived, kept.levels.size());
  auto result = collect_dealt<D>(kept, arrived, cuts,
                                 rounds.all_gather_many(std::span<const Extent>(extents)));
  result.forest = find_others(std::move(result.forest), rounds);
  return result;
}

}  // namespace thalweg::mesh
