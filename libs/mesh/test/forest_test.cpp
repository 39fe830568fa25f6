// SPDX-License-Identifier: MIT
#include <thalweg/mesh/forest.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
Geometry<D> lattice(const Index<D>& root_blocks) {
  typename Geometry<D>::Config config;
  config.root_blocks = root_blocks;
  return Geometry<D>(config);
}

template <int D>
void expect_complete(const Index<D>& extent, int n_ranks) {
  const Geometry<D> geometry = lattice(extent);
  std::vector<Key<D>> keys;
  for (int q = 0; q < n_ranks; ++q) {
    const Forest<D> forest = initial_forest(geometry, Rank(q), n_ranks);
    const LevelSet<D>& set = forest.level(0);
    EXPECT_EQ(set.first_global, std::ssize(keys));
    EXPECT_EQ(set.n_global, product(extent));
    EXPECT_GE(std::ssize(set.keys), set.n_global / n_ranks);
    EXPECT_LE(std::ssize(set.keys), (set.n_global + n_ranks - 1) / n_ranks);
    for (const Key<D>& key : set.keys) EXPECT_EQ(forest.owner(key), Rank(q));
    keys.insert(keys.end(), set.keys.begin(), set.keys.end());
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  EXPECT_EQ(std::ssize(keys), product(extent));
  for (const Key<D>& key : keys) EXPECT_TRUE(geometry.contains(key));
}

TEST(Forest, initial_level_is_complete_disjoint_and_balanced) {
  for (const int n_ranks : {1, 2, 3, 5, 8, 40}) {
    expect_complete<1>({7}, n_ranks);
    expect_complete<2>({1, 1}, n_ranks);
    expect_complete<2>({5, 3}, n_ranks);
    expect_complete<3>({3, 2, 5}, n_ranks);
  }
}

TEST(Forest, fewer_blocks_than_ranks_are_spread) {
  const Geometry<1> geometry = lattice<1>({2});
  std::vector<int> holders;
  for (int q = 0; q < 8; ++q)
    if (!initial_forest(geometry, Rank(q), 8).level(0).keys.empty()) holders.push_back(q);
  EXPECT_EQ(holders, (std::vector<int>{2, 6}));
}

TEST(Forest, every_code_has_an_owner_that_is_not_an_empty_range) {
  const Forest<2> forest = initial_forest(lattice<2>({5, 3}), Rank(0), 4);
  const auto& splitters = forest.level(0).directory.splitters();
  for (std::uint64_t code = 0; code < forest.geometry.code_end(0); ++code) {
    const auto q = forest.owner(0, code)();
    EXPECT_LE(splitters[q], code);
    EXPECT_LT(code, splitters[q + 1]);
  }
  EXPECT_THROW(forest.owner(0, forest.geometry.code_end(0)), ContractViolation);
  EXPECT_THROW(forest.owner(1, 0), ContractViolation);
}

TEST(Forest, counts_more_blocks_and_cells_than_32_bits_hold) {
  const Geometry<3> geometry = lattice<3>(Index<3>::filled(2048));
  const int n_ranks = max_table_ranks;
  const Forest<3> forest = initial_forest(geometry, Rank(n_ranks / 2), n_ranks);
  const LevelSet<3>& set = forest.level(0);
  EXPECT_EQ(set.n_global, std::int64_t{1} << 33);
  EXPECT_EQ(set.first_global, std::int64_t{1} << 32);
  EXPECT_EQ(set.keys.front().code, std::uint64_t{1} << 32);
  EXPECT_NEAR(static_cast<double>(set.keys.size()), 85899.3, 1);
  EXPECT_EQ(forest.owner(0, (std::uint64_t{1} << 33) - 1), Rank(n_ranks - 1));
  EXPECT_EQ(geometry.domain_cells(0).n_cells(), std::int64_t{1} << 45);
}

TEST(Forest, more_blocks_than_can_be_added_are_refused) {
  EXPECT_EQ(count_blocks(lattice<3>({1 << 20, 1 << 21, 1 << 21}), 0), std::int64_t{1} << 62);
  const Geometry<3> more = lattice<3>({(1 << 20) + 1, 1 << 21, 1 << 21});
  const Geometry<3> too_many_for_64_bits = lattice<3>(Index<3>::filled(1 << 21));
  for (const auto& geometry : {more, too_many_for_64_bits})
    EXPECT_THROW(initial_forest(geometry, Rank(0), 2), Error);
}

// Refused before anything is as long as there are ranks.
TEST(Forest, more_ranks_than_a_table_of_all_is_meant_for_are_refused_by_their_number) {
  try {
    initial_forest(lattice<1>({4}), Rank(0), max_table_ranks + 1);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("100001 ranks"), std::string::npos) << error.what();
  }
}

TEST(Forest, has_its_own_blocks_only) {
  const Forest<1> forest = initial_forest(lattice<1>({4}), Rank(1), 2);

  EXPECT_FALSE(forest.has({0, 1}));
  EXPECT_TRUE(forest.has({0, 2}));
  EXPECT_FALSE(forest.has({1, 2}));
  EXPECT_EQ(forest.level(0).find({0, 3}), 1u);
}

TEST(Forest, same_blocks_ignores_the_revision) {
  Forest<1> a = initial_forest(lattice<1>({4}), Rank(0), 2);
  Forest<1> b = a;
  b.revision = 7;
  EXPECT_TRUE(has_same_blocks(a, b));
  b.levels[0].keys.pop_back();
  EXPECT_FALSE(has_same_blocks(a, b));
}

}  // namespace
}  // namespace thalweg::mesh
