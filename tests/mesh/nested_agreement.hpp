// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/testing/nest_replicated.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh::testing {

/// A forest and its neighbourhoods as one rank makes them: whole.
template <int D>
std::pair<Forest<D>, NeighbourInfo<D>> made_alone(const Case<D>& c) {
  return on_ranks(1, [&](Rank rank, auto collectives) {
    const Forest<D> forest = random_forest(c, rank, 1, collectives);
    return std::pair(forest, find_neighbour_info(forest, collectives));
  })[0];
}

/// Make a random forest over a transport, and count on this rank what differs from the whole one:
/// blocks, masks, owners and neighbours; and whether the next regrid gives the forest that all
/// ranks make for themselves. Collective.
template <int D>
int count_differences(const Case<D>& c, const std::pair<Forest<D>, NeighbourInfo<D>>& whole,
                      flow::Transport& transport) {
  exchange::TransportCollectives collectives(transport);
  const Forest<D> forest = random_forest(c, transport.rank(), transport.n_ranks(), collectives);
  const auto weigh = [](const Key<D>& key) { return random_weight(key); };
  const std::vector<Key<D>> wanted = random_wanted(forest, c.seed + 100);
  const NeighbourInfo<D> neighbours = find_neighbour_info(forest, collectives);
  if (forest.n_levels() != whole.first.n_levels()) return 1;
  int n_different = 0;
  const auto expect = [&](bool holds) { n_different += holds ? 0 : 1; };
  for (int l = 0; l < forest.n_levels(); ++l) {
    const LevelSet<D>& all = whole.first.level(l);
    const auto& masks = whole.second.levels[static_cast<std::size_t>(l)].masks;
    const LevelSet<D>& mine = forest.level(l);
    expect(mine.n_global == all.n_global);
    expect(flow::all_gather_v(transport, std::span(mine.keys)).values == all.keys);

    const LevelNeighbourInfo<D>& known = neighbours.levels[static_cast<std::size_t>(l)];
    std::set<Key<D>> around;  // whose children this rank must know
    for (std::size_t i = 0; i < mine.keys.size(); ++i) {
      const auto at = all.find(mine.keys[i]);
      expect(at == static_cast<std::size_t>(mine.first_global) + i);
      expect(at && known.masks.at(i) == masks[*at]);
      for (int o = 0; o < n_offsets<D>; ++o)
        if (const auto next = forest.geometry.neighbour(mine.keys[i], offset_at<D>(o)))
          around.insert(*next);
    }
    std::vector<FineNeighbour<D>> fine_whole;
    if (l + 1 < forest.n_levels()) {
      const auto& finer = whole.first.level(l + 1).keys;
      const auto by_rank = flow::all_gather_v(transport, std::span(forest.level(l + 1).keys)).begin;
      for (std::size_t i = 0; i < finer.size(); ++i)
        if (around.contains(forest.geometry.parent(finer[i])))
          fine_whole.push_back(
              {finer[i], whole.second.levels[static_cast<std::size_t>(l) + 1].masks[i],
               Rank(static_cast<int>(std::ranges::upper_bound(by_rank, i) - by_rank.begin()) - 1)});
    }
    expect(known.fine_neighbours == fine_whole);
  }

  const auto next = regrid<D>(forest, wanted, collectives, weigh).forest;
  const auto by_all = regrid_replicated<D>(forest, wanted, collectives, weigh);  // it has a table
  if (c.directory == Directory::table) expect(next == by_all);
  expect(next.n_levels() == by_all.n_levels());
  for (int l = 0; l < by_all.n_levels() && l < next.n_levels(); ++l)
    expect(next.level(l).keys == by_all.level(l).keys);
  return n_different;
}

}  // namespace thalweg::mesh::testing
