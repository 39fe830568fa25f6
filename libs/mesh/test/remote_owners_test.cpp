// SPDX-License-Identifier: MIT
#include <thalweg/mesh/remote_owners.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/nest_replicated.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

/// What a rank knows after two regrids by cost, the second of which moves uneven levels only.
template <int D>
struct World {
  PartitionedForest<D> forest;
  NeighbourInfo<D> neighbour;
};

template <int D>
World<D> make_world(const testing::Case<D>& c, Rank rank, int n_ranks, auto collectives) {
  const Forest<D> old = testing::random_forest(c, rank, n_ranks, collectives);
  Weights costs;  // some are not known
  for (const LevelSet<D>& set : old.levels) {
    costs.emplace_back();
    for (const Key<D>& key : set.keys)
      costs.back().push_back(static_cast<std::int64_t>(SplitMix64(key.code)() % 9));
  }
  const auto wanted = testing::random_wanted(old, c.seed + 100);
  const auto sets = nested_sets<D>(old, wanted, collectives);
  const auto weights = weights_by_cost(old, sets, costs, collectives);
  World<D> world{partition(old, sets, weights, collectives, Threshold{c.seed % 2 == 0 ? 1 : 1.4}),
                 {}};
  world.neighbour = find_neighbour_info(world.forest.forest, collectives);
  return world;
}

template <int D>
void expect_same(const World<D>& table, const World<D>& routed) {
  const Forest<D>&a = table.forest.forest, &b = routed.forest.forest;
  EXPECT_EQ(a.revision, b.revision);
  ASSERT_EQ(a.n_levels(), b.n_levels());
  EXPECT_EQ(table.neighbour, routed.neighbour);
  for (int l = 0; l < a.n_levels(); ++l) {
    const auto i = static_cast<std::size_t>(l);
    EXPECT_EQ(table.forest.imbalance[i].before, routed.forest.imbalance[i].before);
    EXPECT_EQ(table.forest.imbalance[i].after, routed.forest.imbalance[i].after);
    EXPECT_EQ(a.level(l).keys, b.level(l).keys);
    EXPECT_EQ(a.level(l).n_global, b.level(l).n_global);
    EXPECT_EQ(a.level(l).first_global, b.level(l).first_global);
    const CurveRange of_a = a.curve_range(l), of_b = b.curve_range(l);
    EXPECT_EQ(of_a.begin, of_b.begin);
    EXPECT_EQ(of_a.end, of_b.end);
    for (const auto& other : b.level(l).remote_owners) EXPECT_NE(other.owner, b.rank);
    // Owners of all blocks around one's own and around their parents.
    for (const Key<D>& key : a.level(l).keys)
      for (int o = 0; o < n_offsets<D>; ++o) {
        const auto neighbour = a.geometry.neighbour(key, offset_at<D>(o));
        const auto& mask = table.neighbour.levels[i].masks[*a.level(l).find(key)];
        EXPECT_TRUE(!neighbour || !mask.has(o) || a.owner(*neighbour) == b.owner(*neighbour));
        if (l == 0) continue;
        const auto coarse = a.geometry.neighbour(a.geometry.parent(key), offset_at<D>(o));
        EXPECT_TRUE(!coarse || a.owner(*coarse) == b.owner(*coarse));
      }
  }
}

template <int D>
void expect_all_same(std::initializer_list<int> ranks) {
  for (testing::Case<D> c : testing::cases<D>())
    for (const int n_ranks : ranks) {
      SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
      const auto worlds = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
        testing::Case<D> without = c;
        without.directory = Directory::routed;
        return std::pair(make_world(c, rank, n_ranks, collectives),
                         make_world(without, rank, n_ranks, collectives));
      });
      for (const auto& [table, routed] : worlds) expect_same(table, routed);
    }
}

TEST(RemoteOwners, make_up_for_a_table_1d) {
  expect_all_same<1>({1, 2, 3, 5, 7, 16});
}
TEST(RemoteOwners, make_up_for_a_table_2d) {
  expect_all_same<2>({1, 2, 3, 5, 7});
}
TEST(RemoteOwners, make_up_for_a_table_3d) {
  expect_all_same<3>({2, 3, 5});
}

TEST(RemoteOwners, make_the_forest_of_ranks_that_know_all_blocks) {
  testing::Case<2> c = testing::cases<2>()[3];
  c.directory = Directory::routed;
  testing::on_ranks(64, [&](Rank rank, auto collectives) {
    const auto weigh = [](const Key<2>& key) {
      return static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 9);
    };
    const auto forest = testing::random_forest(c, rank, 64, collectives);
    const auto wanted = testing::random_wanted(forest, 7);
    const auto next = regrid<2>(forest, wanted, collectives, weigh).forest;
    const auto whole = testing::regrid_replicated<2>(forest, wanted, collectives, weigh);
    EXPECT_EQ(next.n_levels(), whole.n_levels());
    for (int l = 0; l < whole.n_levels(); ++l) EXPECT_EQ(next.level(l).keys, whole.level(l).keys);
    return 0;
  });
}

TEST(RemoteOwners,
     and_routing_tables_are_all_that_a_rank_holds_of_more_ranks_than_there_is_a_table_for) {
  for (int log2 = 1; log2 <= 24; ++log2) {
    const int n_ranks = 1 << log2;
    const Geometry<1> geometry({.root_blocks = {n_ranks}});
    const auto forest = initial_routed_forest(geometry, Rank(n_ranks / 3), n_ranks);
    const std::size_t n_keys = forest.level(0).keys.capacity();
    EXPECT_EQ(forest.level(0).keys.size(), 1u);
    EXPECT_EQ(n_bytes(forest), sizeof(LevelSet<1>) + n_keys * sizeof(Key<1>) +
                                   (static_cast<std::size_t>(log2) + 1) * sizeof(std::uint64_t));
  }
}

// Two blocks of each of three levels a rank, all alike but for what is at the level's ends.
TEST(RemoteOwners, grow_by_a_number_a_level_where_ranks_double) {
  std::size_t before = 0;
  for (const int n_ranks : {8, 16, 32, 64}) {
    const Geometry<1> geometry({.root_blocks = {2 * n_ranks}, .max_level = 2, .periodic = {true}});
    const auto bytes = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
      auto forest = initial_forest(geometry, rank, n_ranks, collectives, Directory::routed);
      for (int l = 0; l < 2; ++l) {
        std::vector<Key<1>> wanted;
        for (const LevelSet<1>& set : forest.levels)
          for (const Key<1>& key : set.keys) wanted.push_back(child(key, 0, 2));
        forest = regrid<1>(forest, wanted, collectives);
      }
      EXPECT_EQ(forest.n_levels(), 3);
      return n_bytes(forest);
    });
    const std::size_t most = *std::ranges::max_element(bytes);
    if (before > 0) {
      EXPECT_LE(most, before + 3 * sizeof(std::uint64_t)) << n_ranks;
    }
    before = most;
  }
}

TEST(RemoteOwners, do_not_help_to_assign_blocks_explicitly) {
  const Geometry<1> geometry({.root_blocks = {8}});
  testing::on_ranks(2, [&](Rank rank, auto collectives) {
    const auto forest = initial_forest(geometry, rank, 2, collectives, Directory::routed);
    EXPECT_THROW(reassigned_forest(forest, collectives, Partitioner::hilbert), Error);
    return 0;
  });
}

}  // namespace
}  // namespace thalweg::mesh
