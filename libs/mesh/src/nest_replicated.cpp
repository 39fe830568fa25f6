// SPDX-License-Identifier: MIT
#include <thalweg/mesh/nest_replicated.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::mesh {

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

template <int D>
Messages<Key<D>> send_to_all(const Forest<D>& forest,
                             std::type_identity_t<std::span<const Key<D>>> wanted) {
  Messages<Key<D>> out;
  for (int rank = 0; rank < forest.n_ranks; ++rank)
    for (const Key<D>& key : wanted) out.emplace_back(Rank(rank), key);
  return out;
}

template KeySets<1> nest_all<1>(const Geometry<1>&, std::span<const Key<1>>);
template KeySets<2> nest_all<2>(const Geometry<2>&, std::span<const Key<2>>);
template KeySets<3> nest_all<3>(const Geometry<3>&, std::span<const Key<3>>);
template Forest<1> partition_all(const Forest<1>&, const KeySets<1>&, const Weights&);
template Forest<2> partition_all(const Forest<2>&, const KeySets<2>&, const Weights&);
template Forest<3> partition_all(const Forest<3>&, const KeySets<3>&, const Weights&);
template Messages<Key<1>> send_to_all<1>(const Forest<1>&, std::span<const Key<1>>);
template Messages<Key<2>> send_to_all<2>(const Forest<2>&, std::span<const Key<2>>);
template Messages<Key<3>> send_to_all<3>(const Forest<3>&, std::span<const Key<3>>);

}  // namespace thalweg::mesh
