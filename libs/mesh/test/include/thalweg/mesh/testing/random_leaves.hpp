// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include <thalweg/core/hash.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/leaf_partition.hpp>

namespace thalweg::mesh::testing {

/// One random forest of leaves: enough to make it again.
template <int D>
struct LeafCase {
  LeafRules<D> rules;
  int first_level = 0;
  int n_adaptations = 3;
  std::uint64_t seed = 0;
  Directory directory = Directory::table;

  friend std::ostream& operator<<(std::ostream& os, const LeafCase& c) {
    os << D << "D ratio " << c.rules.geometry.config().ratio.text() << " seed " << c.seed
       << " balance " << static_cast<int>(c.rules.balance) << " curve "
       << static_cast<int>(c.rules.curve) << " roots";
    for (int a = 0; a < D; ++a) os << ' ' << c.rules.geometry.config().root_blocks[a];
    os << " periodic";
    for (int a = 0; a < D; ++a) os << ' ' << c.rules.geometry.is_periodic(a);
    return os;
  }
};

/// A case that a seed chooses: domain, ratios, periodic axes, balance and curve.
template <int D>
LeafCase<D> leaf_case(std::uint64_t seed) {
  SplitMix64 random(hash_number(seed, D));
  typename Geometry<D>::Config config;
  config.block_cells = 8;
  const auto kind = random.below(8);
  if (kind < 2) config.ratio = 4;
  if (kind == 2) config.ratio = D == 1 ? Ratios{2, 4, 2} : Ratios{2, 4};
  if (kind == 3) config.ratio = D == 1 ? Ratios{4, 2, 4} : Ratios{4, 2};
  config.max_level = kind < 2 ? 3 - D / 2 : config.ratio.count() > 1 ? config.ratio.count() : 6 - D;
  for (int a = 0; a < D; ++a) {
    config.root_blocks[a] = 1 + static_cast<int>(random.below(D == 3 ? 3 : 5));
    config.periodic[a] = random.below(2) == 0;
  }
  LeafCase<D> c;
  c.seed = seed;
  c.rules = {Geometry<D>(config), static_cast<Adjacency>(1 + random.below(3)),
             random.below(3) == 0 ? Curve::hilbert : Curve::morton};
  c.first_level = static_cast<int>(random.below(2));
  c.n_adaptations = config.max_level + 1;
  return c;
}

/// The flag of a block: mostly to be kept, at times refined, else coarsened.
///
/// The same on whichever rank: a pure function of the seed, of time, and of the key or its parent.
template <int D>
RefineFlag random_flag(const LeafCase<D>& c, int time, const Key<D>& key) {
  const auto chance = [&](const Key<D>& of, std::uint64_t salt) {
    return SplitMix64(hash_number(of.code, hash_number(static_cast<std::uint64_t>(of.level),
                                                       c.seed * 64 + salt)))
        .below(100);
  };
  const auto now = static_cast<std::uint64_t>(time);
  const Geometry<D>& geometry = c.rules.geometry;
  // Few blocks are refined, but those to the finest level: the steeper, the more balance has to do.
  if (key.level < geometry.max_level() &&
      chance(key, now) <
          (key.level <= c.first_level
               ? 30
               : 120 / static_cast<std::uint64_t>(n_children<D>(geometry.ratio(key.level))) + 8))
    return RefineFlag::refine;
  if (key.level > 0 && chance(geometry.parent(key), now + 32) < 40) return RefineFlag::coarsen;
  return RefineFlag::keep;
}

template <int D>
std::vector<RefineFlag> random_flags(const LeafCase<D>& c, int time, const LeafForest<D>& forest) {
  std::vector<RefineFlag> flags;
  for (const Key<D>& leaf : forest.leaves) flags.push_back(random_flag(c, time, leaf));
  return flags;
}

/// A forest after some adaptations. Collective.
template <int D, Collectives R>
LeafForest<D> random_leaves(const LeafCase<D>& c, Rank rank, int n_ranks, R& collectives) {
  LeafForest<D> forest = initial_leaves(c.rules, c.first_level, rank, n_ranks, c.directory);
  for (int time = 0; time < c.n_adaptations; ++time)
    forest = adapt<D>(forest, random_flags(c, time, forest), collectives);
  return forest;
}

/// A weight of 1 to 50 for each block, the same on whichever rank.
template <int D>
std::int64_t random_weight(const Key<D>& key) {
  return static_cast<std::int64_t>(
      1 + SplitMix64(key.code * 32 + static_cast<std::uint64_t>(key.level)).below(50));
}

}  // namespace thalweg::mesh::testing
