// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_forest.hpp>

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
void expect_complete(const Index<D>& root_blocks, int level, int n_ranks, Curve curve) {
  const LeafRules<D> rules{Geometry<D>({.root_blocks = root_blocks, .max_level = 2}),
                           Adjacency::faces, curve};
  const std::int64_t n = Box<D>{{}, rules.geometry.blocks_at(level)}.n_cells();
  std::vector<std::uint64_t> positions;
  for (int q = 0; q < n_ranks; ++q) {
    const LeafForest<D> forest = initial_leaves(rules, level, Rank(q), n_ranks);
    EXPECT_EQ(forest.first_global, std::ssize(positions));
    EXPECT_EQ(forest.n_global, n);
    EXPECT_EQ(forest.finest, level);
    EXPECT_LE(std::ssize(forest.leaves), (n + n_ranks - 1) / n_ranks);
    EXPECT_GE(std::ssize(forest.leaves), n / n_ranks);
    for (std::size_t i = 0; i < forest.leaves.size(); ++i) {
      EXPECT_EQ(forest.owner(forest.leaves[i]), Rank(q));
      EXPECT_EQ(forest.find(forest.leaves[i]), i);
      positions.push_back(rules.position(forest.leaves[i]));
    }
  }
  EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  EXPECT_EQ(std::adjacent_find(positions.begin(), positions.end()), positions.end());
  EXPECT_EQ(std::ssize(positions), n);
}

TEST(InitialLeaves, are_a_whole_level_cut_into_equal_parts) {
  for (const Curve curve : {Curve::morton, Curve::hilbert})
    for (const int n_ranks : {1, 2, 3, 5, 40})
      for (const int level : {0, 1}) {
        expect_complete<1>({7}, level, n_ranks, curve);
        expect_complete<2>({1, 1}, level, n_ranks, curve);
        expect_complete<2>({5, 3}, level, n_ranks, curve);
        expect_complete<3>({3, 2, 1}, level, n_ranks, curve);
      }
}

TEST(LeafForest, every_place_has_an_owner_that_is_not_an_empty_range) {
  const LeafForest<2> forest = initial_leaves(
      LeafRules<2>{Geometry<2>({.root_blocks = {3, 1}, .max_level = 2})}, 0, Rank(0), 7);
  for (std::uint64_t position = 0; position < curve_end(forest.geometry()); ++position) {
    const auto q = forest.owner(position)();
    EXPECT_LE(forest.directory.splitters()[q], position);
    EXPECT_LT(position, forest.directory.splitters()[q + 1]);
  }
  EXPECT_THROW(forest.owner(curve_end(forest.geometry())), ContractViolation);
}

TEST(LeafForest, finds_its_own_leaves_only) {
  const LeafForest<1> forest = initial_leaves(
      LeafRules<1>{Geometry<1>({.root_blocks = {4}, .max_level = 1})}, 0, Rank(1), 2);
  EXPECT_EQ(forest.find({0, 3}), 1u);
  EXPECT_EQ(forest.find({0, 1}), std::nullopt);
  EXPECT_EQ(forest.find({1, 6}), std::nullopt) << "begins with a leaf, but is none";
}

TEST(NextForest, ranks_without_leaves_own_nothing) {
  const LeafForest<1> old = initial_leaves(
      LeafRules<1>{Geometry<1>({.root_blocks = {4}, .max_level = 1})}, 0, Rank(2), 4);
  const std::vector<LeafLoad> rank_loads{{}, {3, 3, 0, 1}, {}, {2, 2, 4, 0}};

  const LeafForest<1> next = next_forest<1>(old, {}, rank_loads);

  EXPECT_EQ(next.directory.splitters(), (std::vector<std::uint64_t>{0, 0, 4, 4, 8}));
  EXPECT_EQ(next.n_global, 5);
  EXPECT_EQ(next.first_global, 3);
  EXPECT_EQ(next.finest, 1);
  EXPECT_EQ(next.revision, 1u);
  EXPECT_EQ(next.owner(std::uint64_t{0}), Rank(1));
}

// Metadata only: eight thousand million leaves, of which this rank lists some hundred thousand.
TEST(InitialLeaves, more_than_2_to_the_31_blocks_are_counted) {
  const int n_ranks = 1 << 16;
  const LeafRules<3> rules{
      Geometry<3>({.root_blocks = {2, 2, 2}, .block_cells = 16, .max_level = 13})};

  const LeafForest<3> forest = initial_leaves(rules, 10, Rank(n_ranks / 2 + 1), n_ranks);

  EXPECT_EQ(forest.n_global, std::int64_t{1} << 33);
  EXPECT_EQ(forest.first_global, (std::int64_t{1} << 32) + (1 << 17));
  EXPECT_EQ(std::ssize(forest.leaves), 1 << 17);
  EXPECT_EQ(forest.owner(forest.leaves.back()), forest.rank);
  EXPECT_EQ(forest.owner(curve_end(rules.geometry) - 1), Rank(n_ranks - 1));
}

void expect_error(auto f, const std::string& data) {
  try {
    f();
    ADD_FAILURE() << "accepted what should name " << data;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(data), std::string::npos) << e.what();
  }
}

TEST(Counts, that_overflow_are_refused_by_name) {
  const LeafRules<3> rules{
      Geometry<3>({.root_blocks = {2, 2, 2}, .block_cells = 8, .max_level = 20})};
  expect_error([&] { initial_leaves(rules, 20, Rank(0), 1); }, "level 20");
  expect_error([&] { initial_leaves(rules, 0, Rank(0), max_table_ranks + 1, Directory::table); },
               "100001 ranks");
}

TEST(ShareOf, sums_and_finds_the_first_and_the_finest) {
  const LeafRules<1> rules{Geometry<1>({.root_blocks = {4}, .max_level = 2})};
  const std::vector<Key<1>> leaves{{1, 3}, {2, 8}, {2, 9}};
  const std::vector<std::int64_t> weights{5, 7, 11};

  const LeafLoad load = leaf_load_of<1>(rules, leaves, weights);

  EXPECT_EQ(load.n_leaves, 3);
  EXPECT_EQ(load.weight, 23);
  EXPECT_EQ(load.first_position, 6u);
  EXPECT_EQ(load.finest, 2);
  EXPECT_THROW(leaf_load_of<1>(rules, leaves, {}), ContractViolation);
}

TEST(Reaches, counts_the_axes_of_an_offset) {
  EXPECT_TRUE(reaches<3>(Adjacency::faces, {0, -1, 0}));
  EXPECT_FALSE(reaches<3>(Adjacency::faces, {0, -1, 1}));
  EXPECT_TRUE(reaches<3>(Adjacency::edges, {0, -1, 1}));
  EXPECT_FALSE(reaches<3>(Adjacency::edges, {1, -1, 1}));
  EXPECT_TRUE(reaches<3>(Adjacency::corners, {1, -1, 1}));
  EXPECT_TRUE(reaches<2>(Adjacency::edges, {1, 1}));
  EXPECT_FALSE(reaches<2>(Adjacency::corners, {0, 0}));
}

}  // namespace
}  // namespace thalweg::mesh
