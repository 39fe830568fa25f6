// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

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

/// What a rank holds of one level before it is partitioned.
struct Share {
  std::int32_t level = 0;
  std::int64_t n_blocks = 0;
  std::int64_t weight = 0;
};

/// What a rank owns of one level after it is partitioned.
struct Extent {
  std::int32_t level = 0;
  std::int64_t n_blocks = 0;
  std::uint64_t first_code = 0;  ///< meaningful where n_blocks > 0
};

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

/// Partition each level, first round: tell all ranks how much each holds.
template <int D>
Messages<Share> send_shares(const KeySets<D>& sets, const Weights& weights, int n_ranks);
/// Second round: send each key to its new owner.
template <int D>
Messages<Key<D>> send_to_owners(const KeySets<D>& sets, const Weights& weights,
                                const Messages<Share>& shares, Rank rank, int n_ranks);
/// Third round: tell all ranks what each now owns. Takes what arrived in the second.
template <int D>
Messages<Extent> send_extents(const Messages<Key<D>>& owned, int n_levels, int n_ranks);
/// The partitioned forest, one revision after the old one. Takes what arrived in both rounds.
template <int D>
Forest<D> collect_forest(const Forest<D>& old, const Messages<Key<D>>& owned,
                         const Messages<Extent>& extents);

}  // namespace thalweg::mesh
