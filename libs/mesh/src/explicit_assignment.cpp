// SPDX-License-Identifier: MIT
#include <thalweg/mesh/explicit_assignment.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/imbalance.hpp>

namespace thalweg::mesh {
namespace {

std::size_t at(std::int32_t level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

void check_explicit_assignment(Directory directory, int n_ranks) {
  if (directory != Directory::table)
    throw Error(fmt::format(
        "blocks assigned explicitly on {} ranks without a table of them (who owns a block is asked "
        "of ranks "
        "that are looked up there, which is for {} ranks at most); divide blocks along Morton's "
        "curve, or run on fewer ranks with more workers each, with a table",
        n_ranks, max_table_ranks));
}

template <int D>
Weights weights_in(const Forest<D>& forest, const Messages<WeighedKey<D>>& owned) {
  Weights weights;
  for (const LevelSet<D>& set : forest.levels) weights.emplace_back(set.keys.size());
  for (const auto& [from, weighed] : owned) {
    const std::size_t l = at(weighed.key.level);
    weights[l][*forest.levels[l].find(weighed.key)] = weighed.weight;
  }
  return weights;
}

template <int D>
Messages<Key<D>> send_owned_keys(const Forest<D>& old, const Forest<D>& by_morton) {
  Messages<Key<D>> out;
  for (int l = 0; l < std::min(old.n_levels(), by_morton.n_levels()); ++l)
    for (const Key<D>& key : old.level(l).keys)
      out.emplace_back(by_morton.directory_rank(key), key);
  return out;
}

template <int D>
Owners current_owners_of(const Forest<D>& by_morton, const Messages<Key<D>>& arrived) {
  Owners owners_now;
  for (const LevelSet<D>& set : by_morton.levels)
    owners_now.emplace_back(set.keys.size(), by_morton.rank);
  for (const auto& [from, key] : arrived)
    if (const auto i = by_morton.level(key.level).find(key)) owners_now[at(key.level)][*i] = from;
  return owners_now;
}

Messages<LevelLoad> send_current_loads(const Weights& weights, const Owners& owners_now) {
  Messages<LevelLoad> out;
  for (std::size_t l = 0; l < weights.size(); ++l)
    for (std::size_t i = 0; i < weights[l].size(); ++i) {
      const auto level = static_cast<std::int32_t>(l);
      if (out.empty() || out.back().first != owners_now[l][i] || out.back().second.level != level)
        out.emplace_back(owners_now[l][i], LevelLoad{level, 0});
      out.back().second.weight += weights[l][i];
    }
  return out;
}

PartitionGroup partition_group(std::int64_t n_blocks, Rank rank, int n_ranks, std::int64_t most) {
  THALWEG_EXPECT(most > 0, "a group has blocks");
  const auto n_groups = static_cast<int>(
      std::clamp((n_blocks + most - 1) / most, std::int64_t{1}, std::int64_t{n_ranks}));
  const int group = static_cast<int>(chunk_owner(rank(), 1, n_ranks, n_groups)());
  const auto begin = static_cast<int>(chunk_begin(n_ranks, group, n_groups));
  return {begin, static_cast<int>(chunk_begin(n_ranks, group + 1, n_groups)) - begin};
}

template <int D>
Messages<WeightReport> send_weight_reports(const BlockLists<D>& blocks, const Weights& weights,
                                           std::span<const LevelPartition> partitions,
                                           std::int64_t most) {
  Messages<WeightReport> out;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    if (!partitions[l].moves) continue;
    const auto list = static_cast<std::int32_t>(l);
    const Rank assigning_rank =
        partition_group(blocks.lists[l].n_global, blocks.rank, blocks.n_ranks, most)
            .assigning_rank(list);
    for (const std::int64_t weight : weights[l])
      out.emplace_back(assigning_rank, WeightReport{list, weight});
  }
  return out;
}

template <int D>
Messages<Assignment> assign_by_knapsack(const BlockLists<D>& blocks,
                                        const Messages<WeightReport>& reports, std::int64_t most) {
  // Directory ranks follow the curve, and messages come by rank: each list is in order.
  Weights weights(blocks.lists.size());
  for (const auto& [from, report] : reports) weights.at(at(report.list)).push_back(report.weight);
  Owners owners;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    if (weights[l].empty()) {  // others assign it: no list of all ranks here
      owners.emplace_back();
      continue;
    }
    const PartitionGroup group =
        partition_group(blocks.lists[l].n_global, blocks.rank, blocks.n_ranks, most);
    owners.push_back(assign_knapsack(weights[l], group.n_ranks));
    for (Rank& owner : owners.back()) owner = Rank(static_cast<unsigned>(group.first) + owner());
  }
  std::vector<std::size_t> next(owners.size());
  Messages<Assignment> out;
  for (const auto& [from, report] : reports)
    out.emplace_back(from,
                     Assignment{report.list, owners[at(report.list)][next[at(report.list)]++]});
  return out;
}

Owners owners_assigned(Owners owners_now, const Messages<Assignment>& assigned) {
  std::vector<std::size_t> next(owners_now.size());
  // A list has one assigning rank for a rank, which answers in the order of the reports.
  for (const auto& [from, d] : assigned) owners_now[at(d.list)].at(next[at(d.list)]++) = d.owner;
  return owners_now;
}

template <int D>
Messages<AssignedKey<D>> send_assigned(const Forest<D>& by_morton, const Weights& weights,
                                       const Owners& owners) {
  Messages<AssignedKey<D>> out;
  for (std::size_t l = 0; l < owners.size(); ++l)
    for (std::size_t i = 0; i < owners[l].size(); ++i)
      out.emplace_back(owners[l][i], AssignedKey<D>{by_morton.levels[l].keys[i], weights[l][i],
                                                    by_morton.levels[l].position(i)});
  return out;
}

template <int D>
std::vector<RankRange> ranges_of_assigned(const Messages<AssignedKey<D>>& arrived,
                                          std::size_t n_levels) {
  std::vector<RankRange> rank_ranges(n_levels);
  for (const auto& [from, assigned] : arrived) {
    ++rank_ranges[at(assigned.key.level)].n_blocks;
    rank_ranges[at(assigned.key.level)].weight += assigned.weight;
  }
  return rank_ranges;
}

template <int D>
PartitionedForest<D> collect_assigned(const Forest<D>& by_morton,
                                      const Messages<AssignedKey<D>>& arrived,
                                      std::span<const LevelPartition> partitions,
                                      std::span<const RankRange> rank_ranges) {
  const auto ranks = static_cast<std::size_t>(by_morton.n_ranks);
  THALWEG_EXPECT(rank_ranges.size() == ranks * by_morton.levels.size(),
                 "ranges of some ranks are missing");
  PartitionedForest<D> result{by_morton, {}};
  result.forest.has_explicit_owners = true;
  for (LevelSet<D>& set : result.forest.levels) {
    set.keys.clear();
    set.first_global = 0;
  }
  std::vector<std::int64_t> loads(partitions.size()), most(loads), total(loads);
  for (std::size_t q = 0; q < ranks; ++q) {
    std::ranges::fill(loads, 0);
    for (std::size_t l = 0; l < by_morton.levels.size(); ++l) {
      const RankRange& rank_range = rank_ranges[q * by_morton.levels.size() + l];
      loads[std::min(l, partitions.size() - 1)] += rank_range.weight;
      if (q < by_morton.rank()) result.forest.levels[l].first_global += rank_range.n_blocks;
    }
    for (std::size_t l = 0; l < loads.size(); ++l) {
      most[l] = std::max(most[l], loads[l]);
      total[l] += loads[l];
    }
  }
  for (std::size_t l = 0; l < partitions.size(); ++l)
    result.imbalance.push_back({partitions[l].imbalance, imbalance(most[l], total[l], ranks)});
  // Directory ranks are sorted along the curve and send in its order, so what arrives on a level is
  // sorted.
  for (const auto& [from, assigned] : arrived) {
    LevelSet<D>& set = result.forest.levels[at(assigned.key.level)];
    THALWEG_ASSERT(set.keys.empty() || set.keys.back() < assigned.key,
                   "directory ranks follow the curve");
    set.keys.push_back(assigned.key);
    set.positions.push_back(assigned.position);
  }
  return result;
}

#define THALWEG_INSTANTIATE(D)                                                                   \
  template Weights weights_in(const Forest<D>&, const Messages<WeighedKey<D>>&);                 \
  template Messages<Key<D>> send_owned_keys(const Forest<D>&, const Forest<D>&);                 \
  template Owners current_owners_of(const Forest<D>&, const Messages<Key<D>>&);                  \
  template Messages<WeightReport> send_weight_reports(                                           \
      const BlockLists<D>&, const Weights&, std::span<const LevelPartition>, std::int64_t);      \
  template Messages<Assignment> assign_by_knapsack(const BlockLists<D>&,                         \
                                                   const Messages<WeightReport>&, std::int64_t); \
  template Messages<AssignedKey<D>> send_assigned(const Forest<D>&, const Weights&,              \
                                                  const Owners&);                                \
  template std::vector<RankRange> ranges_of_assigned(const Messages<AssignedKey<D>>&,            \
                                                     std::size_t);                               \
  template PartitionedForest<D> collect_assigned(                                                \
      const Forest<D>&, const Messages<AssignedKey<D>>&, std::span<const LevelPartition>,        \
      std::span<const RankRange>)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
