// SPDX-License-Identifier: MIT
#include <thalweg/mesh/explicit_assignment.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/mesh/assign.hpp>
#include <thalweg/mesh/assign_hilbert.hpp>
#include <thalweg/mesh/block_lists.hpp>
#include <thalweg/mesh/curve.hpp>
#include <thalweg/mesh/imbalance.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

constexpr std::array all_assigned{Partitioner::hilbert, Partitioner::round_robin,
                                  Partitioner::knapsack};

std::int64_t weight_of(auto key) {
  return static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 50);
}

// The forest of a case by rank, and after another regrid.
template <int D>
struct Twice {
  Forest<D> before;
  PartitionedForest<D> after;
};

template <int D>
std::vector<Twice<D>> regrid_twice(testing::Case<D> c, Partitioner partitioner, int n_ranks,
                                   double threshold = 1) {
  c.partitioner = partitioner;
  return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const auto weigh = [](const Key<D>& key) { return weight_of(key); };
    const Forest<D> before = testing::random_forest(c, rank, n_ranks, collectives);
    const auto wanted = testing::random_wanted(before, 77);
    return Twice<D>{
        before, regrid<D>(before, wanted, collectives, weigh, Threshold{threshold}, partitioner)};
  });
}

template <int D>
std::map<Key<D>, Rank> owners_of(const std::vector<Twice<D>>& ranks, bool is_before) {
  std::map<Key<D>, Rank> owners;
  for (const Twice<D>& rank : ranks) {
    const Forest<D>& forest = is_before ? rank.before : rank.after.forest;
    for (const auto& set : forest.levels)
      for (const Key<D>& key : set.keys)
        EXPECT_TRUE(owners.emplace(key, forest.rank).second) << "two ranks own a block";
  }
  return owners;
}

template <int D>
void expect_consistent(const std::vector<Twice<D>>& ranks, const std::vector<Twice<D>>& morton) {
  const auto owners = owners_of(ranks, false);
  const auto expected = owners_of(morton, false);
  ASSERT_TRUE(std::ranges::equal(
      owners, expected, {}, [](auto& o) { return o.first; }, [](auto& o) { return o.first; }));
  std::vector<std::int64_t> n_of_level(20);
  for (const auto& [key, owner] : owners) {
    // Keys are in the order of the curve, so that a block's position is how many came before it.
    const LevelSet<D>& set = ranks[owner()].after.forest.level(key.level);
    EXPECT_EQ(set.position(*set.find(key)), n_of_level[static_cast<std::size_t>(key.level)]++);
    const Geometry<D>& geometry = ranks[0].before.geometry;
    const auto expect_known = [&](const Key<D>& centre) {
      for (int o = 0; o < n_offsets<D>; ++o) {
        const auto neighbours = geometry.neighbour(centre, offset_at<D>(o));
        const auto found = neighbours ? owners.find(*neighbours) : owners.end();
        if (found == owners.end()) continue;
        EXPECT_EQ(ranks[owner()].after.forest.owner(*neighbours), found->second);
      }
    };
    expect_known(key);
    if (key.level > 0) expect_known(geometry.parent(key));
  }
  for (int l = 0; l < ranks[0].after.forest.n_levels(); ++l) {
    std::int64_t n_before = 0;
    for (const Twice<D>& rank : ranks) {
      EXPECT_EQ(rank.after.forest.level(l).first_global, n_before);
      n_before += std::ssize(rank.after.forest.level(l).keys);
    }
  }
}

template <int D>
void expect_all_consistent() {
  for (const testing::Case<D>& c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 6}) {
      if (D == 3 && n_ranks == 2) continue;
      const auto morton = regrid_twice(c, Partitioner::morton, n_ranks);
      for (const Partitioner partitioner : all_assigned) {
        SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks << ", partitioner "
                                          << static_cast<int>(partitioner));
        expect_consistent(regrid_twice(c, partitioner, n_ranks), morton);
      }
    }
}

TEST(ExplicitAssignment, gives_each_block_one_owner_whom_its_neighbours_and_children_know_1d) {
  expect_all_consistent<1>();
}
TEST(ExplicitAssignment, gives_each_block_one_owner_whom_its_neighbours_and_children_know_2d) {
  expect_all_consistent<2>();
}
TEST(ExplicitAssignment, gives_each_block_one_owner_whom_its_neighbours_and_children_know_3d) {
  expect_all_consistent<3>();
}

// Neighbours do not depend on who owns what, but for the rank that knows them.
TEST(ExplicitAssignment, gives_the_same_neighbours) {
  for (const testing::Case<2>& c : testing::cases<2>())
    for (const Partitioner partitioner : all_assigned) {
      std::map<Key<2>, NeighbourMask<2>> masks;
      std::map<Key<2>, NeighbourMask<2>> fine_masks;
      for (const Partitioner p : {Partitioner::morton, partitioner}) {
        testing::Case<2> with = c;
        with.partitioner = p;
        const auto ranks = testing::on_ranks(4, [&](Rank rank, auto collectives) {
          const auto forest = testing::random_forest(with, rank, 4, collectives);
          return std::pair(forest, find_neighbour_info(forest, collectives));
        });
        for (const auto& [forest, neighbours] : ranks)
          for (std::size_t l = 0; l < forest.levels.size(); ++l) {
            for (std::size_t i = 0; i < forest.levels[l].keys.size(); ++i)
              EXPECT_EQ(masks.emplace(forest.levels[l].keys[i], neighbours.levels[l].masks[i])
                            .first->second,
                        neighbours.levels[l].masks[i]);
            for (const FineNeighbour<2>& fine : neighbours.levels[l].fine_neighbours) {
              EXPECT_EQ(fine_masks.emplace(fine.key, fine.mask).first->second, fine.mask);
              EXPECT_TRUE(ranks[fine.owner()].first.has(fine.key));
            }
          }
      }
    }
}

template <int D>
std::vector<std::int64_t> loads(const std::vector<Twice<D>>& ranks, int level, bool is_before) {
  const auto before = owners_of(ranks, true);
  std::vector<std::int64_t> result(ranks.size());
  for (const auto& [key, owner] : owners_of(ranks, false)) {
    if (key.level != level) continue;
    const auto held = before.find(key);
    if (is_before && held == before.end()) return {};  // new blocks count where they are kept
    result[(is_before ? held->second : owner)()] += weight_of(key);
  }
  return result;
}

TEST(ExplicitAssignment, says_how_uneven_loads_were_and_are) {
  for (const Partitioner partitioner : all_assigned) {
    const auto ranks = regrid_twice(testing::cases<2>().back(), partitioner, 3);
    for (int l = 0; l < ranks[0].after.forest.n_levels(); ++l)
      for (const auto& rank : ranks) {
        const LevelImbalance& said = rank.after.imbalance.at(static_cast<std::size_t>(l));
        EXPECT_DOUBLE_EQ(said.after, imbalance(loads(ranks, l, false)));
        if (l == 0) {
          EXPECT_DOUBLE_EQ(said.before, imbalance(loads(ranks, 0, true)));
        }
      }
  }
}

TEST(ExplicitAssignment, blocks_keep_their_owners_below_the_threshold) {
  for (const Partitioner partitioner : all_assigned) {
    const auto ranks = regrid_twice(testing::cases<2>().back(), partitioner, 3, 100);
    const auto before = owners_of(ranks, true);
    int n_kept = 0;
    for (const auto& [key, owner] : owners_of(ranks, false)) {
      if (key.level >= ranks[0].before.n_levels() || !before.contains(key)) continue;
      EXPECT_EQ(owner, before.at(key));
      ++n_kept;
    }
    EXPECT_GT(n_kept, 10);
  }
}

TEST(ExplicitAssignment, directories_are_those_of_blocks_along_the_curve_whatever_the_threshold) {
  const auto c = testing::cases<2>().back();
  const auto morton = regrid_twice(c, Partitioner::morton, 3);
  for (const Partitioner partitioner : all_assigned) {
    const auto ranks = regrid_twice(c, partitioner, 3, 100);
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (int l = 0; l < ranks[r].after.forest.n_levels(); ++l)
        EXPECT_EQ(ranks[r].after.forest.level(l).directory,
                  morton[r].after.forest.level(l).directory);
  }
}

TEST(ExplicitAssignment, knapsack_is_as_even_as_its_bound_and_round_robin_counts_are) {
  const auto c = testing::cases<2>()[2];
  const auto knapsack = regrid_twice(c, Partitioner::knapsack, 3);
  const auto in_turn = regrid_twice(c, Partitioner::round_robin, 3);
  for (int l = 0; l < knapsack[0].after.forest.n_levels(); ++l) {
    EXPECT_LE(imbalance(loads(knapsack, l, false)), 4.0 / 3);
    std::vector<std::int64_t> counts;
    for (const auto& rank : in_turn) counts.push_back(std::ssize(rank.after.forest.level(l).keys));
    EXPECT_LE(std::ranges::max(counts) - std::ranges::min(counts), 1);
  }
}

// Each level as one rank would cut it that knows all of its blocks.
template <int D>
void expect_cut_along_hilbert(const testing::Case<D>& c, int n_ranks) {
  const auto ranks = regrid_twice(c, Partitioner::hilbert, n_ranks);
  const Geometry<D>& geometry = ranks[0].before.geometry;
  const auto owners = owners_of(ranks, false);
  for (int l = 0; l < ranks[0].after.forest.n_levels(); ++l) {
    std::map<std::uint64_t, Key<D>> along;
    for (const auto& [key, owner] : owners)
      if (key.level == l) along.emplace(curve_position(geometry, Curve::hilbert, key), key);
    std::vector<std::int64_t> weights;
    for (const auto& [position, key] : along) weights.push_back(weight_of(key));
    const auto total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    const auto expected = assign_in_order(weights, 0, total, n_ranks);
    std::size_t i = 0;
    for (const auto& [position, key] : along)
      EXPECT_EQ(owners.at(key), expected[i++]) << c << ", level " << l << " on " << n_ranks;
  }
}

TEST(ExplicitAssignment, hilbert_cuts_as_a_rank_would_that_knows_all_blocks) {
  for (const int n_ranks : {2, 3, 7}) {
    for (const auto& c : testing::cases<1>()) expect_cut_along_hilbert(c, n_ranks);
    for (const auto& c : testing::cases<2>()) expect_cut_along_hilbert(c, n_ranks);
  }
  for (const auto& c : testing::cases<3>()) expect_cut_along_hilbert(c, 5);
}

// Nobody is told more of others' blocks than a few runs: here each rank's directory has 512 blocks.
TEST(ExplicitAssignment, hilbert_tells_of_runs_rather_than_blocks) {
  const Geometry<3> geometry({.root_blocks = {16, 16, 16}, .block_cells = 8});
  const auto n_runs = testing::on_ranks(7, [&](Rank rank, auto collectives) {
    const auto by_morton = initial_forest(geometry, rank, 7);
    const Weights weights{std::vector<std::int64_t>(by_morton.level(0).keys.size(), 1)};
    const std::vector<LevelPartition> partitions{{.total = 4096}};
    std::vector<std::uint64_t> summers(7);
    write_summers(lists_of(by_morton), summers);
    EXPECT_TRUE(std::ranges::is_sorted(summers));
    EXPECT_EQ(summers.front(), 0u);
    const auto runs = find_hilbert_runs<3>(lists_of(by_morton), weights, partitions, summers);
    std::size_t n_blocks = 0;
    for (const HilbertRun& run : runs) n_blocks += run.blocks.size();
    EXPECT_EQ(n_blocks, by_morton.level(0).keys.size());
    return std::pair(runs.size(), collectives.exchange(send_runs(runs)).size());
  });
  for (const auto& [n_sent, n_summed] : n_runs) {
    EXPECT_LE(n_sent, 2u * 7 * 4);  // by the number of cubes in a part of the curve
    EXPECT_LE(n_summed, 2u * 2 * 7 * 4);
  }
}

TEST(ExplicitAssignment, hilbert_gives_ranks_parts_of_the_curve_that_follow_each_other) {
  const auto ranks = regrid_twice(testing::cases<2>().back(), Partitioner::hilbert, 3);
  const auto owners = owners_of(ranks, false);
  std::map<std::pair<int, std::uint64_t>, Rank> along;
  for (const auto& [key, owner] : owners)
    along[{key.level, curve_position(ranks[0].before.geometry, Curve::hilbert, key)}] = owner;
  int level = -1;
  Rank last;
  for (const auto& [place, owner] : along) {
    if (place.first == level) {
      EXPECT_GE(owner, last);
    }
    level = place.first;
    last = owner;
  }
}

TEST(PartitionGroup, holds_all_ranks_or_as_many_as_have_the_blocks) {
  const auto of = [](Rank rank, std::int64_t n_blocks) {
    const PartitionGroup group = partition_group(n_blocks, rank, 10, 100);
    return std::pair(group.first, group.n_ranks);
  };
  for (const unsigned q : {0u, 5u, 9u}) {
    EXPECT_EQ(of(Rank(q), 0), std::pair(0, 10));
    EXPECT_EQ(of(Rank(q), 100), std::pair(0, 10));
    EXPECT_EQ(of(Rank(q), 101), std::pair(q < 5 ? 0 : 5, 5));
    EXPECT_EQ(of(Rank(q), 1'000'000), std::pair(static_cast<int>(q), 1));
  }
  EXPECT_EQ(partition_group(101, Rank(7), 10, 100).assigning_rank(6), Rank(6));
}

// Nobody lists more blocks than it should, but for its directory; loads stay even.
TEST(ExplicitAssignment, knapsack_in_groups_lists_few_blocks_and_is_even) {
  const Geometry<2> geometry({.root_blocks = {24, 24}, .block_cells = 8});
  constexpr int n_ranks = 6;
  constexpr std::int64_t most = 200;  // of 576: three groups of two ranks
  const auto n_listed = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const Forest<2> roots = initial_forest(geometry, rank, n_ranks);
    Weights weights(1);
    KeySets<2> sets{{roots.level(0).keys}};
    for (const Key<2>& key : sets.levels[0]) weights[0].push_back(weight_of(key));
    const auto by_morton =
        partition(roots, sets, weights, collectives).forest;  // as a regrid cuts it
    weights[0].clear();
    for (const Key<2>& key : by_morton.level(0).keys) weights[0].push_back(weight_of(key));
    const std::vector<LevelPartition> partitions(1);
    const auto reports = collectives.exchange(
        send_weight_reports<2>(lists_of(by_morton), weights, partitions, most));
    const auto assigned = assign_explicitly(by_morton, by_morton, weights, collectives, {},
                                            Partitioner::knapsack, most);
    EXPECT_LE(assigned.imbalance[0].after, 1.05);
    const int group = static_cast<int>(rank()) / 2;
    for (const Key<2>& key : assigned.forest.level(0).keys) {
      EXPECT_GE(by_morton.directory_rank(key)(), static_cast<unsigned>(2 * group));
      EXPECT_LT(by_morton.directory_rank(key)(), static_cast<unsigned>(2 * group + 2));
    }
    return reports.size();
  });
  for (const std::size_t n : n_listed) EXPECT_LE(n, 220u);
  EXPECT_EQ(std::accumulate(n_listed.begin(), n_listed.end(), std::size_t{0}), 576u);
}

TEST(ExplicitAssignment, who_is_no_neighbour_is_not_known) {
  const Geometry<1> geometry({.root_blocks = {16}, .block_cells = 8});
  const auto forests = testing::on_ranks(2, [&](Rank rank, auto collectives) {
    return reassigned_forest(initial_forest(geometry, rank, 2), collectives, Partitioner::hilbert);
  });
  EXPECT_EQ(forests[0].owner(0, 8), Rank(1));
  EXPECT_THROW(forests[0].owner(0, 12), ContractViolation);
  EXPECT_FALSE(forests[0].owns({0, 12}));
}

}  // namespace
}  // namespace thalweg::mesh
