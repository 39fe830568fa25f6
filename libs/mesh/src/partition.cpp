// SPDX-License-Identifier: MIT
#include <thalweg/mesh/partition.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/imbalance.hpp>

namespace thalweg::mesh {
namespace {

// Twice a total of 2^62 times the number of ranks does not fit into 64 bits.
__extension__ using Wide = unsigned __int128;

void add_weight(std::int64_t& sum, std::int64_t weight) {
  add_checked(sum, weight, "the weights of the blocks of a level");
}

}  // namespace

void add_checked(std::int64_t& sum, std::int64_t x, std::string_view what) {
  if (__builtin_add_overflow(sum, x, &sum) || sum > std::int64_t{1} << 62)
    throw Error(fmt::format(
        "{} sum to more than 2^62 (more than can be counted); use a larger unit of cost", what));
}

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
Outgoing<LevelLoad> send_loads(const Forest<D>& old, const KeySets<D>& sets,
                               const Weights& weights) {
  THALWEG_EXPECT(weights.size() == sets.levels.size(), "weights are for other keys");
  Outgoing<LevelLoad> out;
  for (std::size_t l = 0; l < sets.levels.size(); ++l) {
    THALWEG_EXPECT(weights[l].size() == sets.levels[l].size(), "weights are for other keys");
    const int level = static_cast<int>(l);
    for (std::size_t i = 0; i < weights[l].size(); ++i) {
      const Destination owner =
          level < old.n_levels() ? to_directory(old, sets.levels[l][i]) : Destination(old.rank);
      // Keys are sorted, so those of one owner follow each other.
      if (out.empty() || out.back().first != owner || out.back().second.level != level)
        out.emplace_back(owner, LevelLoad{level, 0});
      add_weight(out.back().second.weight, weights[l][i]);
    }
  }
  return out;
}

std::vector<RankLoad> rank_loads_of(const Weights& weights, const Messages<LevelLoad>& arrived) {
  std::vector<RankLoad> rank_loads(weights.size());
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (const std::int64_t weight : weights[l]) {
      THALWEG_EXPECT(weight >= 1, "weights are at least 1");
      add_weight(rank_loads[l].weight, weight);
    }
  for (const auto& [from, load] : arrived)
    add_weight(rank_loads[static_cast<std::size_t>(load.level)].retained, load.weight);
  return rank_loads;
}

std::vector<LevelPartition> level_partitions_of(std::span<const RankLoad> rank_loads, Rank rank,
                                                int n_ranks, int n_old, Threshold threshold) {
  const auto ranks = static_cast<std::size_t>(n_ranks);
  const std::size_t n_levels = rank_loads.size() / ranks;
  THALWEG_EXPECT(n_levels * ranks == rank_loads.size(), "loads of some ranks are missing");
  std::vector<RankLoadSum> before(n_levels);
  std::vector<RankLoadSum> all(n_levels);
  for (std::size_t l = 0; l < n_levels; ++l)
    for (std::size_t q = 0; q < ranks; ++q) {
      if (q == rank()) before[l] = all[l];
      const RankLoad& load = rank_loads[q * n_levels + l];
      all[l] = combined(all[l], {load.weight, load.retained});
    }
  return level_partitions_of(before, all, n_ranks, n_old, threshold);
}

std::vector<LevelPartition> level_partitions_of(std::span<const RankLoadSum> before,
                                                std::span<const RankLoadSum> all, int n_ranks,
                                                int n_old, Threshold threshold) {
  std::vector<LevelPartition> partitions(all.size());
  for (std::size_t l = 0; l < partitions.size(); ++l) {
    LevelPartition& cut = partitions[l];
    add_weight(cut.total, all[l].weight);
    cut.before = before[l].weight;
    // All weight stays somewhere, so the total is the same.
    cut.imbalance =
        imbalance(all[l].most_retained, all[l].weight, static_cast<std::size_t>(n_ranks));
    cut.moves = static_cast<int>(l) >= n_old || threshold.imbalance <= 1 ||
                cut.imbalance > threshold.imbalance;
  }
  return partitions;
}

template <int D>
Outgoing<WeighedKey<D>> send_to_owners(const Forest<D>& old, const KeySets<D>& sets,
                                       const Weights& weights,
                                       std::span<const LevelPartition> partitions) {
  THALWEG_EXPECT(partitions.size() == sets.levels.size(), "cuts are for other levels");
  Outgoing<WeighedKey<D>> out;
  std::size_t n_keys = 0;
  for (const auto& keys : sets.levels) n_keys += keys.size();
  out.reserve(n_keys);
  for (std::size_t l = 0; l < sets.levels.size(); ++l) {
    const auto& [before, total, moves, imbalance] = partitions[l];
    const auto owners =
        moves ? assign_in_order(weights[l], before, total, old.n_ranks) : std::vector<Rank>{};
    for (std::size_t i = 0; i < sets.levels[l].size(); ++i) {
      const WeighedKey<D> weighed{sets.levels[l][i], weights[l][i]};
      out.emplace_back(moves ? Destination(owners[i]) : to_directory(old, weighed.key), weighed);
    }
  }
  return out;
}

template <int D>
std::vector<RankRange> rank_ranges_of(const Messages<WeighedKey<D>>& owned, std::size_t n_levels) {
  std::vector<RankRange> rank_ranges(n_levels);
  for (const auto& [from, weighed] : owned) {
    const std::uint64_t code = weighed.key.code;
    RankRange& rank_range = rank_ranges.at(static_cast<std::size_t>(weighed.key.level));
    rank_range.first_code = rank_range.n_blocks == 0 ? code : std::min(rank_range.first_code, code);
    ++rank_range.n_blocks;
    rank_range.weight += weighed.weight;
  }
  return rank_ranges;
}

std::size_t n_levels_in(std::span<const RankRange> rank_ranges, int n_ranks) {
  const std::size_t n_levels = rank_ranges.size() / static_cast<std::size_t>(n_ranks);
  const auto has_blocks = [&](std::size_t l) {
    for (std::size_t i = l; i < rank_ranges.size(); i += n_levels)
      if (rank_ranges[i].n_blocks > 0) return true;
    return false;
  };
  std::size_t n = 0;  // nested: nothing is finer than an empty level
  while (n < n_levels && has_blocks(n)) ++n;
  return n;
}

// Codes before the first block belong to the first rank that has blocks; so do, generally, codes
// between two ranks' blocks to the lower rank.
template <int D>
void write_splitters(const Geometry<D>& geometry, std::span<const RankRange> rank_ranges,
                     int n_ranks, std::span<std::uint64_t> to) {
  const auto ranks = static_cast<std::size_t>(n_ranks);
  const std::size_t n_levels = rank_ranges.size() / ranks;
  for (std::size_t l = 0; (l + 1) * (ranks + 1) <= to.size(); ++l) {
    const auto of_level = to.subspan(l * (ranks + 1), ranks + 1);
    of_level[ranks] = geometry.code_end(static_cast<int>(l));
    for (std::size_t q = ranks; q-- > 0;) {
      const RankRange& rank_range = rank_ranges[q * n_levels + l];
      of_level[q] = rank_range.n_blocks > 0 ? rank_range.first_code : of_level[q + 1];
    }
    const std::uint64_t first = of_level[0];
    std::ranges::replace(of_level.first(ranks), first, std::uint64_t{0});
  }
}

namespace {

std::size_t n_levels_in(std::span<const RankRangeSum> all) {
  std::size_t n = 0;  // nested: nothing is finer than an empty level
  while (n < all.size() && all[n].n_blocks > 0) ++n;
  return n;
}

}  // namespace

template <int D>
PartitionedForest<D> collect_routed_forest(const Forest<D>& old,
                                           const Messages<WeighedKey<D>>& owned,
                                           std::span<const LevelPartition> partitions,
                                           std::span<const RankRangeSum> before,
                                           std::span<const RankRangeSum> all) {
  PartitionedForest<D> result{{.geometry = old.geometry,
                               .rank = old.rank,
                               .n_ranks = old.n_ranks,
                               .revision = old.revision + 1,
                               .levels = {}},
                              {}};
  std::vector<LevelSet<D>>& levels = result.forest.levels;
  levels.resize(n_levels_in(all));
  std::vector<std::size_t> n_keys(levels.size());
  for (const auto& [from, weighed] : owned)
    ++n_keys.at(static_cast<std::size_t>(weighed.key.level));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l].n_global = all[l].n_blocks;
    levels[l].first_global = before[l].n_blocks;
    levels[l].keys.reserve(n_keys[l]);
    result.imbalance.push_back(
        {partitions[l].imbalance,
         imbalance(all[l].most_weight, all[l].weight, static_cast<std::size_t>(old.n_ranks))});
  }
  for (const auto& [from, weighed] : owned)
    levels[static_cast<std::size_t>(weighed.key.level)].keys.push_back(weighed.key);
  for (LevelSet<D>& set : levels) std::sort(set.keys.begin(), set.keys.end());
  return result;
}

template <int D>
PartitionedForest<D> collect_forest(const Forest<D>& old, const Messages<WeighedKey<D>>& owned,
                                    std::span<const LevelPartition> partitions,
                                    std::span<const RankRange> rank_ranges,
                                    NodeSharedArray<std::uint64_t> splitters) {
  const auto ranks = static_cast<std::size_t>(old.n_ranks);
  THALWEG_EXPECT(rank_ranges.size() == ranks * partitions.size(),
                 "ranges of some ranks are missing");
  const std::size_t n_levels = n_levels_in(rank_ranges, old.n_ranks);
  if (splitters.empty()) {
    std::vector<std::uint64_t> own(n_levels * (ranks + 1));
    write_splitters<D>(old.geometry, rank_ranges, old.n_ranks, own);
    splitters = std::move(own);
  }
  std::vector<RankRangeSum> before(n_levels);
  std::vector<RankRangeSum> all(n_levels);
  for (std::size_t l = 0; l < n_levels; ++l)
    for (std::size_t q = 0; q < ranks; ++q) {
      if (q == old.rank()) before[l] = all[l];
      const RankRange& rank_range = rank_ranges[q * partitions.size() + l];
      all[l] = combined(all[l], {rank_range.n_blocks, rank_range.weight, rank_range.weight});
    }
  auto result = collect_routed_forest<D>(old, owned, partitions, before, all);
  for (std::size_t l = 0; l < n_levels; ++l)
    result.forest.levels[l].directory = {old.rank, splitters.part(l * (ranks + 1), ranks + 1)};
  return result;
}

#define THALWEG_INSTANTIATE(D)                                                                     \
  template Weights unit_weights(const KeySets<D>&);                                                \
  template Outgoing<LevelLoad> send_loads<D>(const Forest<D>&, const KeySets<D>&, const Weights&); \
  template Outgoing<WeighedKey<D>> send_to_owners<D>(                                              \
      const Forest<D>&, const KeySets<D>&, const Weights&, std::span<const LevelPartition>);       \
  template std::vector<RankRange> rank_ranges_of(const Messages<WeighedKey<D>>&, std::size_t);     \
  template void write_splitters(const Geometry<D>&, std::span<const RankRange>, int,               \
                                std::span<std::uint64_t>);                                         \
  template PartitionedForest<D> collect_forest(                                                    \
      const Forest<D>&, const Messages<WeighedKey<D>>&, std::span<const LevelPartition>,           \
      std::span<const RankRange>, NodeSharedArray<std::uint64_t>);                                 \
  template PartitionedForest<D> collect_routed_forest(                                             \
      const Forest<D>&, const Messages<WeighedKey<D>>&, std::span<const LevelPartition>,           \
      std::span<const RankRangeSum>, std::span<const RankRangeSum>)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
