// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_regrid.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/mesh/imbalance.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/nest_replicated.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

/// What a regrid made on one rank, and what was asked for there.
template <int D>
struct Made {
  Forest<D> before;
  std::vector<Key<D>> wanted;
  PartitionedForest<D> after;
};

/// Regrid by random tags until there are as many levels as there can be, and once more, which takes
/// blocks away, too.
template <int D>
std::vector<Made<D>> regrid_often(const testing::Case<D>& c, int n_ranks) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    Made<D> made;
    made.after.forest = reassigned_forest(
        initial_forest(Geometry<D>(c.geometry), rank, n_ranks, collectives, c.directory),
        collectives, c.partitioner);
    for (int i = 0; i <= c.geometry.max_level; ++i) {
      made.before = std::move(made.after.forest);
      made.wanted = testing::random_wanted(made.before, c.seed + static_cast<std::uint64_t>(i));
      made.after = regrid_leaves<D>(made.before, made.wanted, collectives,
                                    n_levels_after(made.before), nullptr, {}, c.partitioner);
    }
    return made;
  });
}

template <int D>
std::vector<Key<D>> siblings_of(const Geometry<D>& geometry, const Key<D>& key) {
  const Key<D> parent = geometry.parent(key);
  std::vector<Key<D>> siblings;
  for (int i = 0; i < n_children<D>(geometry.ratio(parent.level)); ++i)
    siblings.push_back(child(parent, i, geometry.ratio(parent.level)));
  return siblings;
}

/// The smallest set of blocks that is nested, has all wanted ones, and their siblings: by the
/// definition, until nothing is missing.
template <int D>
std::set<Key<D>> smallest_with(const Geometry<D>& geometry, const std::vector<Key<D>>& wanted) {
  std::set<Key<D>> all(wanted.begin(), wanted.end());
  std::size_t n = 0;
  do {
    n = all.size();
    const std::vector<Key<D>> some(all.begin(), all.end());
    for (const auto& keys : testing::nest_all<D>(geometry, some).levels)
      for (const Key<D>& key : keys) {
        all.insert(key);
        if (key.level == 0) continue;
        const auto siblings = siblings_of(geometry, key);
        all.insert(siblings.begin(), siblings.end());
      }
  } while (n != all.size());
  return all;
}

template <int D>
std::map<Key<D>, Rank> owners_of(const std::vector<Made<D>>& ranks) {
  std::map<Key<D>, Rank> owners;
  for (const Made<D>& made : ranks)
    for (const auto& set : made.after.forest.levels)
      for (const Key<D>& key : set.keys)
        EXPECT_TRUE(owners.emplace(key, made.after.forest.rank).second) << "two ranks own a block";
  return owners;
}

// Whether leaves that touch differ by one level at most, by the cells that they cover.
template <int D>
void expect_balanced(const Geometry<D>& geometry, const std::set<Key<D>>& leaves) {
  for (const Key<D>& leaf : leaves)
    for (int o = 0; o < n_offsets<D>; ++o) {
      const auto neighbour = geometry.neighbour(leaf, offset_at<D>(o));
      for (int l = 0; neighbour && l + 1 < leaf.level; ++l)
        EXPECT_FALSE(leaves.contains(geometry.ancestor(*neighbour, l)))
            << "level " << leaf.level << " beside " << l;
    }
}

template <int D>
void expect_as_defined(const testing::Case<D>& c, int n_ranks) {
  SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
  const auto ranks = regrid_often(c, n_ranks);
  const Geometry<D> geometry(c.geometry);
  std::vector<Key<D>> wanted;
  for (const Made<D>& made : ranks)
    wanted.insert(wanted.end(), made.wanted.begin(), made.wanted.end());
  const auto owners = owners_of(ranks);
  std::set<Key<D>> keys;
  for (const auto& [key, owner] : owners) keys.insert(key);
  EXPECT_EQ(keys, smallest_with(geometry, wanted));

  std::set<Key<D>> leaves;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(n_ranks));
  for (const auto& [key, owner] : owners) {
    const bool has_children =
        key.level < geometry.max_level() && keys.contains(child(key, 0, geometry.ratio(key.level)));
    EXPECT_EQ(is_leaf(ranks[owner()].after.forest, key), !has_children);
    if (has_children) {
      EXPECT_EQ(owner, owners.at(child(key, 0, geometry.ratio(key.level))));
      continue;
    }
    leaves.insert(key);
    ++counts[owner()];
  }
  expect_balanced(geometry, leaves);

  // All leaves are divided together, as even as can be.
  EXPECT_LE(std::ranges::max(counts) - std::ranges::min(counts), 1);
  for (const Made<D>& made : ranks) {
    ASSERT_EQ(made.after.imbalance.size(), 1u);
    EXPECT_DOUBLE_EQ(made.after.imbalance[0].after, imbalance(counts));
    EXPECT_EQ(made.after.forest.revision, made.before.revision + 1);
  }

  // A rank knows the owners around its blocks and around their parents.
  std::vector<std::int64_t> n_of_level(static_cast<std::size_t>(geometry.max_level()) + 1);
  for (const auto& [key, owner] : owners) {
    const Forest<D>& forest = ranks[owner()].after.forest;
    const LevelSet<D>& set = forest.level(key.level);
    EXPECT_EQ(set.position(*set.find(key)), n_of_level[static_cast<std::size_t>(key.level)]++);
    for (int o = 0; o < n_offsets<D>; ++o) {
      const auto near = geometry.neighbour(key, offset_at<D>(o));
      if (near && keys.contains(*near)) {
        EXPECT_EQ(forest.owner(*near), owners.at(*near));
      }
    }
  }
}

template <int D>
void expect_all_as_defined() {
  for (testing::Case<D> c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 5, 40}) {
      if (D == 3 && n_ranks != 3 && n_ranks != 40) continue;
      if (n_ranks == 40 && c.seed % 4 != 0) continue;
      for (const Partitioner partitioner : {Partitioner::morton, Partitioner::hilbert,
                                            Partitioner::round_robin, Partitioner::knapsack}) {
        c.partitioner = partitioner;
        expect_as_defined(c, n_ranks);
      }
      c.partitioner = Partitioner::morton;
      c.directory = Directory::routed;
      expect_as_defined(c, n_ranks);
      c.directory = Directory::table;
    }
}

TEST(RegridLeaves, makes_the_smallest_balanced_forest_of_whole_families_and_divides_leaves_1d) {
  expect_all_as_defined<1>();
}
TEST(RegridLeaves, makes_the_smallest_balanced_forest_of_whole_families_and_divides_leaves_2d) {
  expect_all_as_defined<2>();
}
TEST(RegridLeaves, makes_the_smallest_balanced_forest_of_whole_families_and_divides_leaves_3d) {
  expect_all_as_defined<3>();
}

// Leaves that cost more than others together cost each rank as much, and the mean where no cost is
// known.
TEST(RegridLeaves, divides_by_what_leaves_cost) {
  const auto c = testing::cases<2>()[2];
  for (const Directory directory : {Directory::table, Directory::routed}) {
    const auto loads = testing::on_ranks(4, [&](Rank rank, auto collectives) {
      Forest<2> forest = initial_forest(Geometry<2>(c.geometry), rank, 4, collectives, directory);
      std::vector<Key<2>> wanted = testing::random_wanted(forest, c.seed);
      forest = regrid_leaves<2>(forest, wanted, collectives, 2).forest;
      wanted.clear();
      for (const Key<2>& key : forest.levels.back().keys) wanted.push_back(key);
      const auto cost_of = [](const Key<2>& key) {
        return static_cast<std::int64_t>(1 + key.code % 7 * 10);
      };
      Weights costs;
      for (const auto& set : forest.levels) {
        costs.emplace_back();
        for (const Key<2>& key : set.keys)
          costs.back().push_back(is_leaf(forest, key) ? cost_of(key) : 0);
      }
      const auto next = regrid_leaves<2>(forest, wanted, collectives, 3, &costs).forest;
      EXPECT_EQ(next.n_levels(), 2);
      std::int64_t load = 0;
      for (const auto& set : next.levels)
        for (const Key<2>& key : set.keys) load += is_leaf(next, key) ? cost_of(key) : 0;
      return load;
    });
    EXPECT_LE(std::ranges::max(loads) - std::ranges::min(loads), 2 * 61);
    EXPECT_GT(std::ranges::min(loads), 61);
  }
}

TEST(RegridLeaves, leaves_below_the_threshold_stay) {
  const auto c = testing::cases<2>()[2];
  for (const Partitioner partitioner : {Partitioner::morton, Partitioner::knapsack})
    testing::on_ranks(3, [&](Rank rank, auto collectives) {
      const Geometry<2> geometry(c.geometry);
      const auto roots =
          reassigned_forest(initial_forest(geometry, rank, 3, collectives, Directory::table),
                            collectives, partitioner);
      std::vector<Key<2>> wanted;
      if (rank == Rank(0)) wanted.push_back({1, 0});
      const auto next =
          regrid_leaves<2>(roots, wanted, collectives, 2, nullptr, Threshold{100}, partitioner);
      EXPECT_DOUBLE_EQ(next.imbalance[0].before, next.imbalance[0].after);
      std::vector<Key<2>> kept;
      for (const Key<2>& key : next.forest.level(0).keys)
        if (is_leaf(next.forest, key)) kept.push_back(key);
      for (const Key<2>& key : kept) EXPECT_TRUE(roots.has(key));
      return 0;
    });
}

}  // namespace
}  // namespace thalweg::mesh
