// SPDX-License-Identifier: MIT
#include <thalweg/mesh/costs.hpp>

#include <algorithm>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>

namespace thalweg::mesh {
namespace {

void add_cost(std::int64_t& sum, std::int64_t cost) {
  add_checked(sum, cost, "the costs of the blocks of a level");
}

// To the directory rank of a block's place, or of another for it: rank_of(key).
template <int D, class RankOf>
Outgoing<WeighedKey<D>> send_known(const Forest<D>& old, const Weights& costs, RankOf&& rank_of) {
  THALWEG_EXPECT(costs.size() == old.levels.size(), "costs are for another forest");
  Outgoing<WeighedKey<D>> out;
  for (std::size_t l = 0; l < costs.size(); ++l) {
    const auto& keys = old.levels[l].keys;
    THALWEG_EXPECT(costs[l].size() == keys.size(), "costs are for another forest");
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (costs[l][i] > 0) out.emplace_back(rank_of(keys[i]), WeighedKey<D>{keys[i], costs[l][i]});
  }
  return out;
}

}  // namespace

template <int D>
Outgoing<WeighedKey<D>> send_costs(const Forest<D>& old, const Weights& costs) {
  return send_known(old, costs,
                    [&](const Key<D>& key) { return parent_directory_rank<D>(old, key); });
}

template <int D>
Outgoing<WeighedKey<D>> send_leaf_costs(const Forest<D>& old, const Weights& costs) {
  return send_known(old, costs, [&](const Key<D>& key) { return to_directory(old, key); });
}

std::vector<CostSum> cost_sums(const Weights& costs) {
  std::vector<CostSum> sums(costs.size());
  for (std::size_t l = 0; l < costs.size(); ++l)
    for (const std::int64_t cost : costs[l]) {
      add_cost(sums[l].cost, cost);
      sums[l].n_blocks += cost > 0 ? 1 : 0;
    }
  return sums;
}

template <int D>
Weights weights_of(const KeySets<D>& sets, const Messages<WeighedKey<D>>& arrived,
                   std::span<const CostSum> sums, int n_ranks) {
  const std::size_t n_known = sums.size() / static_cast<std::size_t>(n_ranks);
  Weights weights;
  std::int64_t mean = 1;
  for (std::size_t l = 0; l < sets.levels.size(); ++l) {
    CostSum all;
    for (std::size_t i = l; l < n_known && i < sums.size(); i += n_known) {
      add_cost(all.cost, sums[i].cost);
      all.n_blocks += sums[i].n_blocks;
    }
    if (all.n_blocks > 0) mean = std::max(all.cost / all.n_blocks, std::int64_t{1});
    weights.emplace_back(sets.levels[l].size(), mean);
  }
  for (const auto& [from, weighed] : arrived) {
    const auto l = static_cast<std::size_t>(weighed.key.level);
    if (l >= sets.levels.size()) continue;
    const auto& keys = sets.levels[l];
    const auto found = std::lower_bound(keys.begin(), keys.end(), weighed.key);
    if (found != keys.end() && *found == weighed.key)
      weights[l][static_cast<std::size_t>(found - keys.begin())] = weighed.weight;
  }
  return weights;
}

#define THALWEG_INSTANTIATE(D)                                                           \
  template Outgoing<WeighedKey<D>> send_costs<D>(const Forest<D>&, const Weights&);      \
  template Outgoing<WeighedKey<D>> send_leaf_costs<D>(const Forest<D>&, const Weights&); \
  template Weights weights_of(const KeySets<D>&, const Messages<WeighedKey<D>>&,         \
                              std::span<const CostSum>, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
