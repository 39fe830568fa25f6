// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/mesh/regrid.hpp>

namespace thalweg::mesh::testing {

/// One random forest: enough to make it again.
template <int D>
struct Case {
  typename Geometry<D>::Config geometry;
  std::uint64_t seed = 0;
  Partitioner partitioner = Partitioner::morton;
  Directory directory = Directory::table;

  friend std::ostream& operator<<(std::ostream& os, const Case& c) {
    os << D << "D ratio " << c.geometry.ratio.text() << " seed " << c.seed << " periodic";
    for (int a = 0; a < D; ++a) os << ' ' << c.geometry.periodic[a];
    os << " partitioner " << static_cast<int>(c.partitioner);
    return os << (c.directory == Directory::routed ? " routed" : "");
  }
};

/// Cases with either ratio and with both, on lattices from one block wide, periodic on all axes,
/// none or some, of cubic blocks and others.
template <int D>
std::vector<Case<D>> cases() {
  std::vector<Case<D>> all;
  const auto add = [&](const Ratios& ratio, int max_level, int i, int seed) {
    typename Geometry<D>::Config config;
    config.ratio = ratio;
    config.max_level = max_level;
    for (int a = 0; a < D; ++a) {
      config.block_cells[a] = i % 2 == 1 && (i + a) % 2 == 1 ? 12 : 8;
      config.root_blocks[a] = i == 0 ? 1 + a : D == 1 ? 2 * i + 3 : (i + a) % 3 + 5 - D;
      config.periodic[a] = i == 0 || (i > 1 && (i + a) % 2 == 0);
    }
    all.push_back({config, static_cast<std::uint64_t>(seed)});
  };
  for (const int ratio : {2, 4})
    for (int i = 0; i < 4; ++i) add(ratio, ratio == 4 && D == 3 ? 1 : 2, i, 10 * ratio + i);
  add({2, 4}, 2, 3, 60);
  add({4, 2}, 2, 0, 61);
  if (D < 3) add({2, 4, 2}, 3, 2, 62);
  return all;
}

/// The tags of a block: none mostly, else a cell or two; the same on whichever rank.
template <int D>
std::vector<std::uint8_t> random_tags(const Geometry<D>& geometry, const Key<D>& key,
                                      std::uint64_t seed) {
  SplitMix64 random(
      hash_number(key.code, hash_number(static_cast<std::uint64_t>(key.level), seed)));
  std::vector<std::uint8_t> tags(View<std::uint8_t, D>::size_of(geometry.cells(key), 1));
  if (random.below(key.level == 0 ? 2 : 2 * D) == 0)
    for (std::uint64_t n = 1 + random.below(2); n > 0; --n) tags[random.below(tags.size())] = 1;
  return tags;
}

/// What this rank's blocks want, with random tags and buffer.
template <int D>
std::vector<Key<D>> random_wanted(const Forest<D>& forest, std::uint64_t seed) {
  const int buffer = static_cast<int>(seed % 4);
  std::vector<Key<D>> wanted;
  for (const LevelSet<D>& set : forest.levels)
    for (const Key<D>& key : set.keys) {
      if (key.level == forest.geometry.max_level()) continue;
      const auto tags = random_tags(forest.geometry, key, seed);
      const View<const std::uint8_t, D> view(tags.data(), forest.geometry.cells(key), 1);
      const auto some = wanted_children(forest.geometry, key, view, buffer);
      wanted.insert(wanted.end(), some.begin(), some.end());
    }
  return wanted;
}

/// A forest of as many levels as tags and the geometry give. Collective.
template <int D, class Exchange>
Forest<D> random_forest(const Case<D>& c, Rank rank, int n_ranks, Exchange&& exchange) {
  const auto weigh = [&](const Key<D>& key) {
    return c.partitioner == Partitioner::morton
               ? std::int64_t{1}
               : static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 9);
  };
  Forest<D> forest = reassigned_forest(
      initial_forest(Geometry<D>(c.geometry), rank, n_ranks, exchange, c.directory), exchange,
      c.partitioner);
  for (int i = 0; i < c.geometry.max_level; ++i)
    forest = regrid<D>(forest, random_wanted(forest, c.seed + static_cast<std::uint64_t>(i)),
                       exchange, weigh, {}, c.partitioner)
                 .forest;
  return forest;
}

/// The keys of all ranks together.
template <int D>
std::set<Key<D>> all_keys(const std::vector<Forest<D>>& forests) {
  std::set<Key<D>> keys;
  for (const Forest<D>& forest : forests)
    for (const LevelSet<D>& set : forest.levels) keys.insert(set.keys.begin(), set.keys.end());
  return keys;
}

}  // namespace thalweg::mesh::testing
