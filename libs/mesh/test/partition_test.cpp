// SPDX-License-Identifier: MIT
#include <thalweg/mesh/partition.hpp>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/random.hpp>
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
      EXPECT_EQ(set.splitters, forests[0].level(l).splitters);
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
  const testing::Case<2> c = testing::cases<2>().back();
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
    return partition(old, sets, weights, exchange);
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

}  // namespace
}  // namespace thalweg::mesh
