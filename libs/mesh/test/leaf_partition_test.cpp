// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_partition.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/mesh/imbalance.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

TEST(Imbalance, is_the_largest_load_over_the_mean) {
  EXPECT_EQ(imbalance(std::vector<std::int64_t>{2, 2, 2}), 1);
  EXPECT_EQ(imbalance(std::vector<std::int64_t>{6, 0, 3}), 2);
  EXPECT_EQ(imbalance(std::vector<std::int64_t>{0, 0}), 1);
}

template <int D>
void expect_partitioned(std::uint64_t seed, int n_ranks) {
  const auto c = testing::leaf_case<D>(seed);
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  const auto forests = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    return testing::random_leaves(c, rank, n_ranks, collectives);
  });
  std::vector<std::uint64_t> positions;
  for (const LeafForest<D>& forest : forests) {
    EXPECT_EQ(forest.directory.splitters(), forests[0].directory.splitters());
    EXPECT_EQ(forest.first_global, std::ssize(positions));
    EXPECT_LE(std::ssize(forest.leaves), (forest.n_global + n_ranks - 1) / n_ranks);
    EXPECT_GE(std::ssize(forest.leaves), forest.n_global / n_ranks);
    for (const Key<D>& leaf : forest.leaves) {
      EXPECT_EQ(forest.owner(leaf), forest.rank);
      positions.push_back(c.rules.position(leaf));
    }
  }
  EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  EXPECT_EQ(std::ssize(positions), forests[0].n_global);
}

TEST(PartitionLeaves, equal_weights_balance_within_one_leaf) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const int n_ranks : {1, 2, 3, 5}) {
      expect_partitioned<1>(seed, n_ranks);
      expect_partitioned<2>(seed, n_ranks);
      if (seed < 5) expect_partitioned<3>(seed, n_ranks);
    }
}

TEST(PartitionLeaves, weights_balance_within_the_heaviest_leaf) {
  const auto c = testing::leaf_case<2>(5);
  const int n_ranks = 3;
  const auto loads = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const LeafForest<2> forest = testing::random_leaves(c, rank, n_ranks, collectives);
    WeighedLeaves<2> leaves;
    for (const Key<2>& leaf : forest.leaves) leaves.add(leaf, testing::random_weight(leaf));
    const auto parted = partition_leaves(forest, leaves, collectives);
    EXPECT_EQ(parted.weights.size(), parted.forest.leaves.size());
    for (std::size_t i = 0; i < parted.weights.size(); ++i)
      EXPECT_EQ(parted.weights[i], testing::random_weight(parted.forest.leaves[i]));
    std::int64_t load = 0;
    for (const Key<2>& leaf : parted.forest.leaves) load += testing::random_weight(leaf);
    return load;
  });
  std::int64_t total = 0;
  for (const std::int64_t load : loads) total += load;
  ASSERT_GT(total, 1000);
  for (const std::int64_t load : loads) EXPECT_LE(std::abs(load - total / n_ranks), 51);
}

TEST(PartitionLeaves, tells_the_imbalance_before_and_after) {
  const LeafRules<1> rules{Geometry<1>({.root_blocks = {8}, .max_level = 1})};
  const auto figures = testing::on_ranks(2, [&](Rank rank, auto collectives) {
    const LeafForest<1> forest = initial_leaves(rules, 0, rank, 2);
    auto leaves = of_equal_weight(forest.leaves);
    if (rank == Rank(0)) leaves.weights[0] = 5;
    const auto parted = partition_leaves(forest, leaves, collectives);
    return std::pair(parted.imbalance_before, parted.imbalance_after);
  });
  EXPECT_EQ(figures[0], (std::pair(8 * 2 / 12.0, 1.0)));
  EXPECT_EQ(figures[1], figures[0]);
}

TEST(PartitionLeaves, below_the_threshold_leaves_stay) {
  const LeafRules<1> rules{Geometry<1>({.root_blocks = {8}, .max_level = 1})};
  const auto run = [&](double threshold) {
    return testing::on_ranks(2, [&](Rank rank, auto collectives) {
      const LeafForest<1> forest = initial_leaves(rules, 0, rank, 2);
      std::vector<RefineFlag> flags(forest.leaves.size(), RefineFlag::keep);
      if (rank == Rank(0)) flags[0] = RefineFlag::refine;
      const auto unit = [](const Key<1>&) { return std::int64_t{1}; };
      const auto next = adapt<1>(forest, flags, collectives, unit, Threshold{threshold});
      EXPECT_EQ(next.imbalance_before, 5 * 2 / 9.0);
      EXPECT_EQ(next.forest.revision, 1u);
      EXPECT_EQ(next.forest.n_global, 9);
      return next.forest.leaves.size();
    });
  };
  EXPECT_EQ(run(1.2), (std::vector<std::size_t>{5, 4}));
  EXPECT_EQ(run(1.1), (std::vector<std::size_t>{4, 5})) << "the middle of the fifth is there";
}

TEST(HandOver, weights_of_all_ranks_beyond_what_can_be_counted_are_refused) {
  std::vector<LeafLoad> rank_loads(2);
  for (LeafLoad& load : rank_loads) load.weight = (std::int64_t{1} << 61) + 1;
  EXPECT_THROW(hand_over<1>({}, sums_of(rank_loads, Rank(0)), Rank(0), 2), Error);
}

TEST(CollectHanded, keeps_the_order_of_ranks) {
  const Messages<WeighedKey<1>> arrived{
      {Rank(0), {{0, 1}, 7}}, {Rank(0), {{0, 2}, 6}}, {Rank(2), {{0, 9}, 4}}};
  const auto leaves = collect_handed<1>(Rank(1), {{{0, 5}}, {5}}, arrived);
  EXPECT_EQ(leaves.leaves, (std::vector<Key<1>>{{0, 1}, {0, 2}, {0, 5}, {0, 9}}));
  EXPECT_EQ(leaves.weights, (std::vector<std::int64_t>{7, 6, 5, 4}));
}

}  // namespace
}  // namespace thalweg::mesh
