// SPDX-License-Identifier: MIT
#include <thalweg/mesh/nest.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

// Whole-set properties of nesting are in regrid_test.cpp; here is who does what.

TEST(ParentDirectoryRank, is_the_owner_of_the_parents_place) {
  const testing::Case<2> c = testing::cases<2>().back();
  const auto forests = testing::on_ranks(
      3, [&](Rank rank, auto exchange) { return testing::random_forest(c, rank, 3, exchange); });
  const Forest<2>& forest = forests[0];
  ASSERT_EQ(forest.n_levels(), c.geometry.max_level + 1);

  for (const Key<2>& key : testing::all_keys(forests))
    EXPECT_EQ(parent_directory_rank(forest, key).rank(),
              key.level == 0 ? forest.owner(key) : forest.owner(forest.geometry.parent(key)));
}

TEST(ParentDirectoryRank, is_the_owner_of_the_finest_ancestor_where_levels_are_missing) {
  const Forest<1> forest =
      initial_forest(Geometry<1>({.root_blocks = {8}, .ratio = 4, .max_level = 2}), Rank(0), 4);

  EXPECT_EQ(parent_directory_rank(forest, key_at<1>(2, {16 * 5 + 3})).rank(),
            forest.owner(key_at<1>(0, {5})));
}

TEST(Nest, wishes_are_for_one_new_level_at_most_and_inside_the_domain) {
  const Forest<1> forest = initial_forest(Geometry<1>({.max_level = 3}), Rank(0), 1);

  EXPECT_EQ(n_levels_after(forest), 2);
  EXPECT_EQ(n_levels_after(initial_forest(Geometry<1>(), Rank(0), 1)), 1);
  EXPECT_EQ(send_wanted<1>(forest, std::vector<Key<1>>{{1, 1}, {1, 0}, {1, 1}}).size(), 2u);
  EXPECT_THROW(send_wanted<1>(forest, std::vector<Key<1>>{{2, 0}}), ContractViolation);
  EXPECT_THROW(send_wanted<1>(forest, std::vector<Key<1>>{{0, 0}}), ContractViolation);
  EXPECT_THROW(send_wanted<1>(forest, std::vector<Key<1>>{{1, 2}}), ContractViolation);
}

TEST(Nest, support_is_the_parents_and_their_neighbours) {
  const Forest<1> forest =
      initial_forest(Geometry<1>({.root_blocks = {8}, .max_level = 2}), Rank(0), 1);
  KeySets<1> sets;
  sets.levels = {forest.level(0).keys, {}, {{2, 12}, {2, 13}}};

  std::vector<Key<1>> asked;
  for (const auto& [to, key] : send_support(forest, sets, 1)) asked.push_back(key);

  EXPECT_EQ(asked, (std::vector<Key<1>>{{1, 5}, {1, 6}, {1, 7}}));
}

}  // namespace
}  // namespace thalweg::mesh
