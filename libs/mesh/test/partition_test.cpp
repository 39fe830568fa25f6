// SPDX-License-Identifier: MIT
#include <thalweg/mesh/partition.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/mesh/imbalance.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

TEST(ChunkOwner, equal_weights_balance_within_one) {
  for (int n_ranks = 1; n_ranks < 9; ++n_ranks)
    for (int n_blocks = 1; n_blocks < 30; ++n_blocks) {
      std::vector<int> counts(static_cast<std::size_t>(n_ranks));
      Rank last(0);
      for (int i = 0; i < n_blocks; ++i) {
        const Rank rank = chunk_owner(i, 1, n_blocks, n_ranks);
        EXPECT_LE(last, rank);
        last = rank;
        ++counts.at(rank());
      }
      EXPECT_LE(*std::max_element(counts.begin(), counts.end()),
                1 + *std::min_element(counts.begin(), counts.end()));
    }
}

TEST(ChunkOwner, huge_weights_do_not_overflow) {
  const std::int64_t huge = std::int64_t{1} << 61;
  EXPECT_EQ(chunk_owner(0, huge, 2 * huge, 100000), Rank(25000));
  EXPECT_EQ(chunk_owner(huge, huge, 2 * huge, 100000), Rank(75000));
}

TEST(ChunkOwner, parts_beyond_the_total_are_a_broken_contract) {
  EXPECT_THROW(chunk_owner(5, 1, 5, 2), ContractViolation);
  EXPECT_THROW(chunk_owner(0, 0, 5, 2), ContractViolation);
}

TEST(ChunkBegin, is_the_first_block_that_chunk_owner_gives_a_rank) {
  for (int n_ranks = 1; n_ranks < 9; ++n_ranks)
    for (int n_blocks = 1; n_blocks < 30; ++n_blocks)
      for (int rank = 0; rank < n_ranks; ++rank)
        for (std::int64_t i = chunk_begin(n_blocks, rank, n_ranks);
             i < chunk_begin(n_blocks, rank + 1, n_ranks); ++i)
          EXPECT_EQ(chunk_owner(i, 1, n_blocks, n_ranks), Rank(rank));
  EXPECT_EQ(chunk_begin(std::int64_t{1} << 62, 500'000, 1'000'000), std::int64_t{1} << 61);
}

template <int D>
void expect_partitioned(const std::vector<Forest<D>>& forests) {
  const int n_ranks = static_cast<int>(forests.size());
  for (int l = 0; l < forests[0].n_levels(); ++l) {
    std::vector<Key<D>> keys;
    for (const Forest<D>& forest : forests) {
      const LevelSet<D>& set = forest.level(l);
      EXPECT_EQ(set.directory.splitters(), forests[0].level(l).directory.splitters());
      EXPECT_EQ(set.first_global, std::ssize(keys));
      EXPECT_LE(std::ssize(set.keys), (set.n_global + n_ranks - 1) / n_ranks);
      EXPECT_GE(std::ssize(set.keys), set.n_global / n_ranks);
      for (const Key<D>& key : set.keys) EXPECT_EQ(forest.owner(key), forest.rank);
      keys.insert(keys.end(), set.keys.begin(), set.keys.end());
    }
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
    EXPECT_EQ(std::ssize(keys), forests[0].level(l).n_global);
  }
}

template <int D>
void expect_all_partitioned() {
  for (const testing::Case<D>& c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 5}) {
      SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
      expect_partitioned(testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
        return testing::random_forest(c, rank, n_ranks, exchange);
      }));
    }
}

TEST(Partition, covers_is_disjoint_and_balanced_on_every_level) {
  expect_all_partitioned<1>();
  expect_all_partitioned<2>();
  expect_all_partitioned<3>();
}

TEST(Partition, weights_balance_within_the_heaviest_block) {
  // One with ratio 4, whose levels have many blocks: there is much to even out.
  const testing::Case<2> c = testing::cases<2>().at(7);
  const int n_ranks = 3;
  const auto weigh = [](const Key<2>& key) {
    return static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 50);
  };

  const auto forests = testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
    const Forest<2> old = testing::random_forest(c, rank, n_ranks, exchange);
    KeySets<2> sets;
    for (const auto& set : old.levels) sets.levels.push_back(set.keys);
    Weights weights = unit_weights(sets);
    for (std::size_t l = 0; l < weights.size(); ++l)
      for (std::size_t i = 0; i < weights[l].size(); ++i) weights[l][i] = weigh(sets.levels[l][i]);
    return partition(old, sets, weights, exchange).forest;
  });

  for (int l = 0; l < forests[0].n_levels(); ++l) {
    std::vector<std::int64_t> loads;
    for (const auto& forest : forests) {
      loads.push_back(0);
      for (const auto& key : forest.level(l).keys) loads.back() += weigh(key);
    }
    const std::int64_t total = std::accumulate(loads.begin(), loads.end(), std::int64_t{0});
    for (const std::int64_t load : loads) EXPECT_LE(std::abs(load - total / n_ranks), 51);
  }
}

// A forest, and the one after a regrid that has a threshold.
struct BeforeAndAfter {
  Forest<2> before;
  PartitionedForest<2> after;
};

std::vector<BeforeAndAfter> regrid_twice(double threshold) {
  // One with ratio 4, whose levels have many blocks: there is much to even out.
  const testing::Case<2> c = testing::cases<2>().at(7);
  return testing::on_ranks(3, [&](Rank rank, auto collectives) {
    const auto weigh = [](const Key<2>& key) {
      return static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 50);
    };
    const Forest<2> before = testing::random_forest(c, rank, 3, collectives);
    const auto wanted = testing::random_wanted(before, 77);
    return BeforeAndAfter{before,
                          regrid<2>(before, wanted, collectives, weigh, Threshold{threshold})};
  });
}

// Loads of a level's blocks, after a regrid, by who owned their places before or does after.
double imbalance_of(const std::vector<BeforeAndAfter>& ranks, int level, bool is_before) {
  std::vector<std::int64_t> loads(ranks.size());
  for (const BeforeAndAfter& rank : ranks)
    for (const Key<2>& key : rank.after.forest.level(level).keys)
      loads.at((is_before ? rank.before : rank.after.forest).owner(key)()) +=
          static_cast<std::int64_t>(1 + SplitMix64(key.code)() % 50);
  return imbalance(loads);
}

TEST(Partition, says_how_uneven_loads_were_and_are) {
  const std::vector<BeforeAndAfter> ranks = regrid_twice(1);
  ASSERT_GE(ranks[0].before.n_levels(), 2);
  for (int l = 0; l < ranks[0].before.n_levels(); ++l)
    for (const BeforeAndAfter& rank : ranks) {
      const LevelImbalance& said = rank.after.imbalance.at(static_cast<std::size_t>(l));
      EXPECT_DOUBLE_EQ(said.before, imbalance_of(ranks, l, true));
      EXPECT_DOUBLE_EQ(said.after, imbalance_of(ranks, l, false));
      EXPECT_LT(said.after, said.before) << "the case is too easy";
    }
}

TEST(Partition, places_keep_their_owners_below_the_threshold) {
  const std::vector<BeforeAndAfter> strict = regrid_twice(1);
  const std::vector<BeforeAndAfter> lax = regrid_twice(100);
  for (std::size_t r = 0; r < lax.size(); ++r)
    for (int l = 0; l < lax[r].before.n_levels(); ++l) {
      EXPECT_EQ(lax[r].after.forest.level(l).n_global, strict[r].after.forest.level(l).n_global);
      for (const Key<2>& key : lax[r].after.forest.level(l).keys)
        EXPECT_EQ(lax[r].before.owner(key), lax[r].after.forest.owner(key));
      const LevelImbalance& said = lax[r].after.imbalance.at(static_cast<std::size_t>(l));
      EXPECT_EQ(said.before, said.after);
    }
}

TEST(Partition, only_levels_above_the_threshold_move) {
  const double uneven = regrid_twice(1)[0].after.imbalance.at(0).before;
  const double even = regrid_twice(1)[0].after.imbalance.at(1).before;
  ASSERT_GT(std::abs(uneven - even), 0.01);
  const std::vector<BeforeAndAfter> ranks = regrid_twice((uneven + even) / 2);
  const auto& said = ranks[0].after.imbalance;
  EXPECT_EQ(said.at(0).after<said.at(0).before, uneven> even);
  EXPECT_EQ(said.at(1).after<said.at(1).before, even> uneven);
}

TEST(Partition, a_level_exactly_at_the_threshold_stays) {
  // 3 and 1 on two ranks: the larger load is 1.5 times the mean, which has no rounding.
  const std::vector<RankLoad> rank_loads = {{.weight = 3, .retained = 3},
                                            {.weight = 1, .retained = 1}};
  const auto moves = [&](double threshold) {
    return level_partitions_of(rank_loads, Rank(0), 2, 1, {threshold}).at(0).moves;
  };
  EXPECT_FALSE(moves(1.5));
  EXPECT_TRUE(moves(std::nextafter(1.5, 1.0)));
}

TEST(Partition, a_threshold_of_one_lets_even_levels_move) {
  const std::vector<RankLoad> even(2, {.weight = 2, .retained = 2});
  EXPECT_TRUE(level_partitions_of(even, Rank(0), 2, 1, {1}).at(0).moves);
}

TEST(Partition, weights_that_cannot_be_added_are_refused) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(rank_loads_of({{huge}}, {}).at(0).weight, huge);
  EXPECT_THROW(rank_loads_of({{huge, 1}}, {}), Error);
  const std::vector<RankLoad> rank_loads = {{.weight = huge}, {.weight = 1}};
  EXPECT_THROW(level_partitions_of(rank_loads, Rank(0), 2, 1, {}), Error);
  RankLoadSum sum;  // of many ranks, in any order: what is too much stays so
  for (int i = 0; i < 8; ++i) sum = combined(combined({huge, 1}, sum), {huge, 2});
  EXPECT_EQ(sum.weight, huge + 1);
  EXPECT_EQ(sum.most_retained, 2);
  EXPECT_THROW(level_partitions_of(std::vector<RankLoadSum>(1), std::vector{sum}, 2, 1, {}), Error);
}

TEST(Partition, cuts_hold_the_weight_of_more_blocks_than_32_bits_count) {
  const std::int64_t many = std::int64_t{1} << 40;
  const std::vector<RankLoad> rank_loads(4096, RankLoad{.weight = many, .retained = many});
  const auto partitions = level_partitions_of(rank_loads, Rank(4095), 4096, 1, {});
  EXPECT_EQ(partitions.at(0).before, 4095 * many);
  EXPECT_EQ(partitions.at(0).total, 4096 * many);
  EXPECT_DOUBLE_EQ(partitions.at(0).imbalance, 1);
}

}  // namespace
}  // namespace thalweg::mesh
