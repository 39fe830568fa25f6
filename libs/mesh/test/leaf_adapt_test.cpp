// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_adapt.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/testing/leaf_replicated.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

// Each adaptation both ways, from the same forest: every rank must have the same value, bit by bit.
template <int D>
int count_differences(const testing::LeafCase<D>& c, int n_ranks) {
  const auto different = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    LeafForest<D> forest = initial_leaves(c.rules, c.first_level, rank, n_ranks);
    int n = 0;
    for (int time = 0; time < c.n_adaptations; ++time) {
      const std::vector<RefineFlag> flags = testing::random_flags(c, time, forest);
      const auto weigh = [](const Key<D>& key) { return testing::random_weight(key); };
      const LeafForest<D> expected =
          testing::adapt_replicated<D>(forest, flags, collectives, weigh);
      forest = adapt<D>(forest, flags, collectives, weigh).forest;
      n += forest != expected ? 1 : 0;
    }
    return n;
  });
  int sum = 0;
  for (const int n : different) sum += n;
  return sum;
}

template <int D>
void expect_equal(int n_cases) {
  for (int seed = 0; seed < n_cases; ++seed) {
    const auto c = testing::leaf_case<D>(static_cast<std::uint64_t>(seed));
    const int n_ranks = std::array{1, 2, 3, 5}[static_cast<std::size_t>(seed) % 4];
    ASSERT_EQ(count_differences(c, n_ranks), 0) << c << " on " << n_ranks << " ranks";
  }
}

TEST(Adapt, is_what_the_replicated_one_makes_1d) {
  expect_equal<1>(1000);
}
TEST(Adapt, is_what_the_replicated_one_makes_2d) {
  expect_equal<2>(600);
}
TEST(Adapt, is_what_the_replicated_one_makes_3d) {
  expect_equal<3>(120);
}

TEST(Adapt, works_with_more_ranks_than_leaves) {
  for (int seed = 0; seed < 8; ++seed) {
    auto c = testing::leaf_case<2>(static_cast<std::uint64_t>(seed));
    c.n_adaptations = 2;
    EXPECT_EQ(count_differences(c, 64), 0) << c;
  }
}

TEST(WantedInteriorNodes, are_one_for_each_leaf_by_its_flag) {
  const LeafRules<1> rules{Geometry<1>({.root_blocks = {2}, .max_level = 3})};
  const LeafForest<1> forest = initial_leaves(rules, 1, Rank(0), 1);
  const std::vector<RefineFlag> flags{RefineFlag::keep, RefineFlag::refine, RefineFlag::coarsen,
                                      RefineFlag::coarsen};

  const InteriorNodes<1> interior_nodes = wanted_interior_nodes<1>(forest, flags);

  EXPECT_EQ(interior_nodes.levels, (std::vector<std::vector<Key<1>>>{{{0, 0}}, {{1, 1}}}));
}

TEST(WantedInteriorNodes, the_finest_level_allowed_is_not_refined) {
  const LeafForest<1> forest = initial_leaves(LeafRules<1>{}, 0, Rank(0), 1);
  EXPECT_THROW(wanted_interior_nodes<1>(forest, std::vector{RefineFlag::refine}),
               ContractViolation);
  EXPECT_THROW(wanted_interior_nodes<1>(forest, {}), ContractViolation);
}

TEST(SupportingInteriorNodes, reach_as_far_as_balance_counts) {
  const Geometry<3> geometry({.root_blocks = {4, 4, 4}, .max_level = 2});
  const Key<3> inner = key_at<3>(1, {3, 3, 3});  // the upper corner of root (1, 1, 1)
  const auto n_support = [&](Adjacency balance) {
    return supporting_interior_nodes<3>({geometry, balance, Curve::morton}, std::vector{inner})
        .size();
  };

  EXPECT_EQ(n_support(Adjacency::faces), 4u);
  EXPECT_EQ(n_support(Adjacency::edges), 7u);
  EXPECT_EQ(n_support(Adjacency::corners), 8u);
}

TEST(SupportingInteriorNodes, with_ratio_4_inner_children_need_only_their_parent) {
  const Geometry<2> geometry({.root_blocks = {4, 4}, .ratio = 4, .max_level = 2});
  const auto support = [&](const Index<2>& place) {
    return supporting_interior_nodes<2>({geometry, Adjacency::corners, Curve::morton},
                                        std::vector{key_at(1, place)});
  };

  EXPECT_EQ(support({5, 6}), (std::vector{key_at<2>(0, {1, 1})}));
  EXPECT_EQ(support({4, 6}), (std::vector{key_at<2>(0, {0, 1}), key_at<2>(0, {1, 1})}));
}

}  // namespace
}  // namespace thalweg::mesh
