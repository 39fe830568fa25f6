// SPDX-License-Identifier: MIT
#include <thalweg/mesh/partition.hpp>

#include <algorithm>
#include <numeric>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {
namespace {

// Twice a total of 2^62 times the number of ranks does not fit into 64 bits.
__extension__ using Wide = unsigned __int128;

struct Prefix {
  std::int64_t before = 0;  // weight on lower ranks
  std::int64_t total = 0;   // weight on all ranks
};

std::vector<Prefix> sum_shares(const Messages<Share>& shares, Rank rank, std::size_t n_levels) {
  std::vector<Prefix> sums(n_levels);
  for (const auto& [from, share] : shares) {
    Prefix& sum = sums[static_cast<std::size_t>(share.level)];
    sum.total += share.weight;
    if (from < rank) sum.before += share.weight;
  }
  return sums;
}

// Codes before the first block belong to the first rank that has blocks; so do, generally, codes
// between two ranks' blocks to the lower rank.
template <int D>
LevelSet<D> make_level(std::uint64_t code_end, Rank rank, const std::vector<Extent>& extents) {
  LevelSet<D> set;
  set.splitters.assign(extents.size() + 1, code_end);
  for (std::size_t q = extents.size(); q-- > 0;)
    set.splitters[q] = extents[q].n_blocks > 0 ? extents[q].first_code : set.splitters[q + 1];
  const std::uint64_t first = set.splitters[0];
  std::replace(set.splitters.begin(), set.splitters.end() - 1, first, std::uint64_t{0});
  for (std::size_t q = 0; q < extents.size(); ++q) {
    set.n_global += extents[q].n_blocks;
    if (q < rank()) set.first_global += extents[q].n_blocks;
  }
  return set;
}

}  // namespace

Rank chunk_owner(std::int64_t before, std::int64_t weight, std::int64_t total, int n_ranks) {
  THALWEG_EXPECT(before >= 0 && weight > 0 && before + weight <= total, "not a part of the total");
  const Wide twice_middle = 2 * static_cast<Wide>(before) + static_cast<Wide>(weight);
  return Rank(
      static_cast<int>(twice_middle * static_cast<Wide>(n_ranks) / (2 * static_cast<Wide>(total))));
}

std::int64_t chunk_begin(std::int64_t n_blocks, int rank, int n_ranks) {
  THALWEG_EXPECT(n_blocks >= 0 && rank >= 0 && rank <= n_ranks, "no such part");
  const auto ranks = static_cast<Wide>(n_ranks);
  const Wide twice_begin = 2 * static_cast<Wide>(n_blocks) * static_cast<Wide>(rank);
  return static_cast<std::int64_t>((twice_begin + ranks - 1) / (2 * ranks));
}

template <int D>
Weights unit_weights(const KeySets<D>& sets) {
  Weights weights;
  for (const auto& keys : sets.levels) weights.emplace_back(keys.size(), 1);
  return weights;
}

template <int D>
Messages<Share> send_shares(const KeySets<D>& sets, const Weights& weights, int n_ranks) {
  THALWEG_EXPECT(weights.size() == sets.levels.size(), "weights are for other keys");
  Messages<Share> out;
  for (std::size_t l = 0; l < sets.levels.size(); ++l) {
    THALWEG_EXPECT(weights[l].size() == sets.levels[l].size(), "weights are for other keys");
    const Share share{
        .level = static_cast<std::int32_t>(l),
        .n_blocks = std::ssize(sets.levels[l]),
        .weight = std::accumulate(weights[l].begin(), weights[l].end(), std::int64_t{0})};
    const Messages<Share> copies = to_all(n_ranks, share);
    out.insert(out.end(), copies.begin(), copies.end());
  }
  return out;
}

template <int D>
Messages<Key<D>> send_to_owners(const KeySets<D>& sets, const Weights& weights,
                                const Messages<Share>& shares, Rank rank, int n_ranks) {
  const std::vector<Prefix> sums = sum_shares(shares, rank, sets.levels.size());
  Messages<Key<D>> out;
  for (std::size_t l = 0; l < sets.levels.size(); ++l) {
    std::int64_t before = sums[l].before;
    for (std::size_t i = 0; i < sets.levels[l].size(); ++i) {
      out.emplace_back(chunk_owner(before, weights[l][i], sums[l].total, n_ranks),
                       sets.levels[l][i]);
      before += weights[l][i];
    }
  }
  return out;
}

template <int D>
Messages<Extent> send_extents(const Messages<Key<D>>& owned, int n_levels, int n_ranks) {
  std::vector<Extent> extents(static_cast<std::size_t>(n_levels));
  for (int l = 0; l < n_levels; ++l) extents[static_cast<std::size_t>(l)].level = l;
  for (const auto& [from, key] : owned) {
    Extent& extent = extents[static_cast<std::size_t>(key.level)];
    extent.first_code = extent.n_blocks == 0 ? key.code : std::min(extent.first_code, key.code);
    ++extent.n_blocks;
  }
  Messages<Extent> out;
  for (const Extent& extent : extents) {
    const Messages<Extent> copies = to_all(n_ranks, extent);
    out.insert(out.end(), copies.begin(), copies.end());
  }
  return out;
}

template <int D>
Forest<D> collect_forest(const Forest<D>& old, const Messages<Key<D>>& owned,
                         const Messages<Extent>& extents) {
  Forest<D> forest{.geometry = old.geometry,
                   .rank = old.rank,
                   .n_ranks = old.n_ranks,
                   .revision = old.revision + 1,
                   .levels = {}};
  std::vector<std::vector<Extent>> by_level;
  for (const auto& [from, extent] : extents) {
    const auto l = static_cast<std::size_t>(extent.level);
    if (by_level.size() <= l) by_level.resize(l + 1);
    by_level[l].push_back(extent);
  }
  for (std::size_t l = 0; l < by_level.size(); ++l) {
    THALWEG_EXPECT(std::ssize(by_level[l]) == old.n_ranks, "extents of some ranks are missing");
    LevelSet<D> set =
        make_level<D>(old.geometry.code_end(static_cast<int>(l)), old.rank, by_level[l]);
    if (set.n_global == 0) break;  // nested: nothing is finer than an empty level
    forest.levels.push_back(std::move(set));
  }
  for (const auto& [from, key] : owned)
    forest.levels[static_cast<std::size_t>(key.level)].keys.push_back(key);
  for (LevelSet<D>& set : forest.levels) std::sort(set.keys.begin(), set.keys.end());
  return forest;
}

template Weights unit_weights(const KeySets<1>&);
template Weights unit_weights(const KeySets<2>&);
template Weights unit_weights(const KeySets<3>&);
template Messages<Share> send_shares(const KeySets<1>&, const Weights&, int);
template Messages<Share> send_shares(const KeySets<2>&, const Weights&, int);
template Messages<Share> send_shares(const KeySets<3>&, const Weights&, int);
template Messages<Key<1>> send_to_owners(const KeySets<1>&, const Weights&, const Messages<Share>&,
                                         Rank, int);
template Messages<Key<2>> send_to_owners(const KeySets<2>&, const Weights&, const Messages<Share>&,
                                         Rank, int);
template Messages<Key<3>> send_to_owners(const KeySets<3>&, const Weights&, const Messages<Share>&,
                                         Rank, int);
template Messages<Extent> send_extents(const Messages<Key<1>>&, int, int);
template Messages<Extent> send_extents(const Messages<Key<2>>&, int, int);
template Messages<Extent> send_extents(const Messages<Key<3>>&, int, int);
template Forest<1> collect_forest(const Forest<1>&, const Messages<Key<1>>&,
                                  const Messages<Extent>&);
template Forest<2> collect_forest(const Forest<2>&, const Messages<Key<2>>&,
                                  const Messages<Extent>&);
template Forest<3> collect_forest(const Forest<3>&, const Messages<Key<3>>&,
                                  const Messages<Extent>&);

}  // namespace thalweg::mesh
