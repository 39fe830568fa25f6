// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh::testing {

// The same as regrid.hpp where every rank knows all blocks: for small runs, and as the oracle. It
// follows the definitions: whole sets of keys, counted from the first to the last.

/// All blocks of the smallest nested forest with the wanted ones, which may repeat. Pure.
/// @cost O(all blocks)
template <int D>
KeySets<D> nest_all(const Geometry<D>& geometry,
                    std::type_identity_t<std::span<const Key<D>>> wanted) {
  std::vector<std::set<Key<D>>> levels(static_cast<std::size_t>(geometry.max_level()) + 1);
  for_each(Box<D>{{}, geometry.blocks_at(0)},
           [&](const Index<D>& i) { levels[0].insert(key_at(0, i)); });
  for (const Key<D>& key : wanted) levels.at(static_cast<std::size_t>(key.level)).insert(key);
  for (std::size_t l = levels.size() - 1; l > 0; --l)
    for (const Key<D>& key : levels[l])
      for (int o = 0; o < n_offsets<D>; ++o)
        if (const auto neighbour = geometry.neighbour(geometry.parent(key), offset_at<D>(o)))
          levels[l - 1].insert(*neighbour);

  KeySets<D> all;
  for (const auto& keys : levels)
    if (!keys.empty()) all.levels.emplace_back(keys.begin(), keys.end());
  return all;
}

/// The next forest of a rank, from all blocks and their weights, cut along Morton's curve.
template <int D>
Forest<D> partition_all(const Forest<D>& old, const KeySets<D>& all, const Weights& weights) {
  const std::size_t n_levels = all.levels.size();
  Messages<WeighedKey<D>> mine;
  std::vector<RankRange> rank_ranges(static_cast<std::size_t>(old.n_ranks) * n_levels);
  for (std::size_t l = 0; l < n_levels; ++l) {
    THALWEG_EXPECT(weights.at(l).size() == all.levels[l].size(), "weights are for other keys");
    const std::int64_t total =
        std::accumulate(weights[l].begin(), weights[l].end(), std::int64_t{0});
    std::int64_t before = 0;
    for (std::size_t i = 0; i < all.levels[l].size(); ++i) {
      const Rank owner = chunk_owner(before, weights[l][i], total, old.n_ranks);
      before += weights[l][i];
      RankRange& extent = rank_ranges[owner() * n_levels + l];
      if (extent.n_blocks++ == 0) extent.first_code = all.levels[l][i].code;
      if (owner == old.rank)
        mine.emplace_back(owner, WeighedKey<D>{all.levels[l][i], weights[l][i]});
    }
  }
  return collect_forest<D>(old, mine, std::vector<LevelPartition>(n_levels), rank_ranges).forest;
}

/// Send what one wants to all ranks.
template <int D>
Messages<Key<D>> send_to_all(const Forest<D>& forest,
                             std::type_identity_t<std::span<const Key<D>>> wanted) {
  Messages<Key<D>> out;
  for (int rank = 0; rank < forest.n_ranks; ++rank)
    for (const Key<D>& key : wanted) out.emplace_back(Rank(rank), key);
  return out;
}

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

}  // namespace thalweg::mesh::testing
