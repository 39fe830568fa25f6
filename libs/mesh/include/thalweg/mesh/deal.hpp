// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// Who gets which blocks of a level. The results of a run do not depend on it.
enum class Partitioner : std::uint8_t {
  morton,       ///< parts of Morton's curve: ranks know all owners from the parts' ends
  hilbert,      ///< parts of Hilbert's curve, where blocks that follow each other touch
  round_robin,  ///< one block after the other to one rank after the other
  knapsack,     ///< the heaviest block left to the rank with the least
};

// But for Morton's, blocks are dealt out one by one: the parts of Morton's curve become what each
// rank *keeps*, that is knows the owners of. All of a regrid but the blocks themselves stays with
// the keepers, so its cost does not depend on the partitioner (docs/adr/0045).

/// Owners by level, in the order of a rank's keys.
using Owners = std::vector<std::vector<Rank>>;

/// What is offered to the dealer of a level: a block's place in the order, and its weight.
struct Offer {
  std::int32_t level = 0;
  std::uint64_t order = 0;
  std::int64_t weight = 1;
};

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

/// A block of a rank tells a keeper that it is there, or asks what is around a place.
template <int D>
struct Notice {
  Key<D> key;
  std::int32_t is_here = 0;  ///< 0: a question
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
/// Third round: blocks of levels that move are offered to one rank a level, in the order of the
/// curve. None for round robin, where each keeper knows.
template <int D>
Messages<Offer> send_offers(const Forest<D>& kept, const Weights& weights,
                            std::span<const LevelCut> cuts, Partitioner partitioner);
/// Fourth round: what a dealer decides, in the order of the offers.
Messages<Dealt> deal_out(const Messages<Offer>& offers, int n_ranks, Partitioner partitioner);
/// The owners of the blocks that a rank keeps.
template <int D>
Owners owners_of(const Forest<D>& kept, Owners holders, std::span<const LevelCut> cuts,
                 const Messages<Dealt>& dealt, Partitioner partitioner);
/// Fifth round: hand the blocks to their owners.
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
/// Sixth round: tell the keepers of the places around that a block is here; ask who is around its
/// parent.
template <int D>
Messages<Notice<D>> send_notices(const Forest<D>& forest);
/// Seventh round: keepers answer with the blocks around.
template <int D>
Messages<OwnedKey<D>> send_answers(const Forest<D>& forest, const Messages<Notice<D>>& arrived);
/// The forest with what is around its blocks.
template <int D>
Forest<D> with_others(Forest<D> forest, const Messages<OwnedKey<D>>& arrived);

/// Deal out the blocks of levels that are less even than the threshold. Collective.
///
/// @param kept     the new forest, cut along Morton's curve
/// @param weights  of this rank's part of it
/// @cost  seven rounds and two gatherings. O(local blocks + n_ranks n_levels); but for round robin
///        one rank a level has 24 bytes a block of the level for two rounds
template <int D, Rounds R>
PartitionedForest<D> deal(const Forest<D>& old, const Forest<D>& kept, const Weights& weights,
                          R&& rounds, Threshold threshold, Partitioner partitioner) {
  Owners holders = holders_of(kept, rounds.exchange(send_holdings(old, kept)));
  const auto shares = shares_of(weights, rounds.exchange(send_kept_loads(weights, holders)));
  const auto cuts = cuts_of(rounds.all_gather_many(std::span<const Share>(shares)), kept.rank,
                            kept.n_ranks, old.n_levels(), threshold);
  const auto offers = rounds.exchange(send_offers<D>(kept, weights, cuts, partitioner));
  const auto dealt = rounds.exchange(deal_out(offers, kept.n_ranks, partitioner));
  const Owners owners = owners_of<D>(kept, std::move(holders), cuts, dealt, partitioner);
  const auto arrived = rounds.exchange(send_dealt(kept, weights, owners));
  const auto extents = extents_of_dealt(arrived, kept.levels.size());
  auto result = collect_dealt<D>(kept, arrived, cuts,
                                 rounds.all_gather_many(std::span<const Extent>(extents)));
  const auto notices = rounds.exchange(send_notices(result.forest));
  const auto answers = rounds.exchange(send_answers(result.forest, notices));
  result.forest = with_others(std::move(result.forest), answers);
  return result;
}

}  // namespace thalweg::mesh
