// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_nested.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
struct Both {
  LeafForest<D> leaves;
  Forest<D> nested;
};

template <int D>
std::vector<Both<D>> both(const testing::LeafCase<D>& c, int n_ranks) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    Both<D> b{testing::random_leaves(c, rank, n_ranks, collectives), {}};
    b.nested = nested_of(b.leaves, collectives);
    EXPECT_EQ(leaves_of(b.nested, collectives), b.leaves) << c;
    return b;
  });
}

/// A case that a seed chooses, of a kind that can be nested.
template <int D>
testing::LeafCase<D> nested_case(std::uint64_t seed) {
  auto c = testing::leaf_case<D>(seed);
  c.rules.balance = Adjacency::corners;
  c.rules.curve = Curve::morton;
  return c;
}

// What nested means, by its definition: all of level 0, and all that supports what is finer.
template <int D>
void expect_nested(const Geometry<D>& geometry, const std::set<Key<D>>& keys) {
  std::int64_t n_roots = 0;
  for (const Key<D>& key : keys) {
    n_roots += key.level == 0;
    if (key.level == 0) continue;
    for (int o = 0; o < n_offsets<D>; ++o) {
      const auto neighbour = geometry.neighbour(geometry.parent(key), offset_at<D>(o));
      ASSERT_TRUE(!neighbour || keys.contains(*neighbour))
          << "level " << neighbour->level << ' ' << neighbour->code;
    }
  }
  EXPECT_EQ(n_roots, count_blocks(geometry, 0));
}

// All keys, after a look at what each rank knows of them.
template <int D>
std::set<Key<D>> expect_known(const std::vector<Both<D>>& ranks) {
  std::set<Key<D>> keys;
  std::set<Key<D>> with_ancestors;
  const Forest<D>& first = ranks.front().nested;
  std::vector<std::int64_t> n_before(first.levels.size());
  for (const auto& [leaves, nested] : ranks) {
    EXPECT_EQ(nested.rank, leaves.rank);
    EXPECT_EQ(nested.revision, leaves.revision);
    EXPECT_EQ(nested.n_levels(), leaves.finest + 1);
    std::size_t n_leaves = 0;
    for (std::size_t l = 0; l < nested.levels.size(); ++l) {
      const LevelSet<D>& set = nested.levels[l];
      EXPECT_EQ(set.directory.splitters(), first.levels[l].directory.splitters());
      EXPECT_EQ(set.directory.splitters().back(), nested.geometry.code_end(static_cast<int>(l)));
      EXPECT_EQ(set.n_global, first.levels[l].n_global);
      EXPECT_EQ(set.first_global, n_before[l]);
      n_before[l] += std::ssize(set.keys);
      EXPECT_TRUE(std::ranges::is_sorted(set.keys));
      for (const Key<D>& key : set.keys) {
        n_leaves += leaves.find(key).has_value();
        EXPECT_TRUE(keys.insert(key).second) << "on two ranks";
        for (const auto& [other_leaves, other] : ranks) {
          EXPECT_EQ(other.owner(key), nested.rank);
          EXPECT_EQ(other_leaves.owner(key), nested.rank);
        }
      }
    }
    EXPECT_EQ(n_leaves, leaves.leaves.size()) << "each leaf is a block of its owner";
    for (const Key<D>& leaf : leaves.leaves)
      for (int level = 0; level <= leaf.level; ++level)
        with_ancestors.insert(leaves.geometry().ancestor(leaf, level));
  }
  for (std::size_t l = 0; l < n_before.size(); ++l)
    EXPECT_EQ(n_before[l], first.levels[l].n_global);
  EXPECT_EQ(keys, with_ancestors);
  return keys;
}

// Returns how many ranks had no leaf.
template <int D>
std::int64_t expect_nested_on_any_ranks(const testing::LeafCase<D>& c,
                                        const std::vector<int>& numbers) {
  SCOPED_TRACE(::testing::Message() << c);
  const auto keys = expect_known(both(c, 1));
  expect_nested(c.rules.geometry, keys);
  std::int64_t n_idle = 0;
  for (const int n_ranks : numbers) {
    SCOPED_TRACE(::testing::Message() << n_ranks << " ranks");
    const auto ranks = both(c, n_ranks);
    EXPECT_EQ(expect_known(ranks), keys);
    for (const auto& b : ranks) n_idle += b.leaves.leaves.empty();
  }
  return n_idle;
}

template <int D>
void expect_nested_on_any_ranks(std::uint64_t n_seeds) {
  std::int64_t n_idle = 0;
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    auto c = nested_case<D>(seed);
    expect_nested_on_any_ranks(c, {2, 3, 5});
    if (seed % 4 != 0) continue;
    c.first_level = 0;
    c.n_adaptations = 1;
    n_idle += expect_nested_on_any_ranks(c, {40});
  }
  EXPECT_GT(n_idle, 0);
}

TEST(NestedOf, is_leaves_and_interior_nodes_nested_and_the_same_on_any_number_of_ranks_1d) {
  expect_nested_on_any_ranks<1>(48);
}
TEST(NestedOf, is_leaves_and_interior_nodes_nested_and_the_same_on_any_number_of_ranks_2d) {
  expect_nested_on_any_ranks<2>(32);
}
TEST(NestedOf, is_leaves_and_interior_nodes_nested_and_the_same_on_any_number_of_ranks_3d) {
  expect_nested_on_any_ranks<3>(9);
}

template <int D>
void expect_same_without_a_table(std::uint64_t n_seeds) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed)
    for (const int n_ranks : {1, 2, 3, 5}) {
      auto c = nested_case<D>(seed);
      SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
      const auto neighbour = [&] {
        return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
          const auto nested =
              nested_of(testing::random_leaves(c, rank, n_ranks, collectives), collectives);
          EXPECT_EQ(leaves_of(nested, collectives).has_table(), c.directory == Directory::table);
          return std::pair(nested, find_neighbour_info(nested, collectives));
        });
      };
      const auto expected = neighbour();
      c.directory = Directory::routed;
      const auto got = neighbour();
      for (std::size_t q = 0; q < got.size(); ++q) {
        const auto& [with, near_with] = expected[q];
        const auto& [without, near_without] = got[q];
        EXPECT_FALSE(without.has_table());
        EXPECT_EQ(near_without, near_with);
        ASSERT_EQ(without.levels.size(), with.levels.size());
        for (std::size_t l = 0; l < with.levels.size(); ++l) {
          EXPECT_EQ(without.levels[l].keys, with.levels[l].keys);
          EXPECT_EQ(without.levels[l].n_global, with.levels[l].n_global);
          EXPECT_EQ(without.levels[l].first_global, with.levels[l].first_global);
          for (const OwnedKey<D>& other : without.levels[l].remote_owners)
            EXPECT_EQ(other.owner, with.owner(other.key));
        }
      }
    }
}

TEST(NestedOf, is_the_same_without_a_table) {
  expect_same_without_a_table<1>(3);
  expect_same_without_a_table<2>(3);
  expect_same_without_a_table<3>(1);
}

//   level 0   |       0       |       1       |     both split
//   level 1   |   0   |   1   |   2   |   3   |     1 is split
//   level 2           | 2 | 3 |                     rank 0 has leaf 0 of level 1, rank 2 the others
TEST(NestedOf, gives_a_split_to_the_owner_of_its_first_leaf) {
  const LeafRules<1> rules{Geometry<1>({.root_blocks = {2}, .max_level = 2}), Adjacency::faces};
  const std::vector<std::vector<Key<1>>> leaves{{{1, 0}}, {}, {{2, 2}, {2, 3}, {1, 2}, {1, 3}}};
  const std::vector<LeafLoad> rank_loads{{1, 1, 0, 1}, {}, {4, 4, 2, 2}};
  const auto forests = testing::on_ranks(3, [&](Rank rank, auto collectives) {
    return nested_of(next_forest<1>(initial_leaves(rules, 0, rank, 3), leaves[rank()], rank_loads),
                     collectives);
  });
  const auto keys_at = [&](std::size_t rank, int level) { return forests[rank].level(level).keys; };
  using Keys = std::vector<Key<1>>;

  EXPECT_EQ(keys_at(0, 0), (Keys{{0, 0}}));
  EXPECT_EQ(keys_at(0, 1), (Keys{{1, 0}}));
  EXPECT_EQ(keys_at(2, 0), (Keys{{0, 1}}));
  EXPECT_EQ(keys_at(2, 1), (Keys{{1, 1}, {1, 2}, {1, 3}}));
  EXPECT_EQ(keys_at(2, 2), (Keys{{2, 2}, {2, 3}}));
  EXPECT_EQ(forests[1].level(0).directory.splitters(), (std::vector<std::uint64_t>{0, 1, 1, 2}));
  EXPECT_EQ(forests[1].level(1).directory.splitters(), (std::vector<std::uint64_t>{0, 1, 1, 4}));
  EXPECT_EQ(forests[1].level(2).directory.splitters(), (std::vector<std::uint64_t>{0, 2, 2, 8}));
}

template <int D>
std::string refusal(Adjacency balance, Curve curve) {
  try {
    check_can_nest(LeafRules<D>{Geometry<D>(), balance, curve});
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(CheckCanNest, refuses_by_name_what_leaves_places_without_neighbours_or_owners) {
  EXPECT_NE(refusal<3>(Adjacency::faces, Curve::morton).find("faces only"), std::string::npos);
  EXPECT_NE(refusal<3>(Adjacency::edges, Curve::morton).find("edges only"), std::string::npos);
  EXPECT_NE(refusal<2>(Adjacency::faces, Curve::morton).find("corners"), std::string::npos);
  EXPECT_NE(refusal<1>(Adjacency::faces, Curve::hilbert).find("Hilbert"), std::string::npos);
  // What touches in two dimensions across an edge does so in a corner; in one all is a face.
  EXPECT_EQ(refusal<2>(Adjacency::edges, Curve::morton), "");
  EXPECT_EQ(refusal<1>(Adjacency::faces, Curve::morton), "");
  testing::OneRank alone;
  const LeafRules<2> rules{Geometry<2>(), Adjacency::faces};
  EXPECT_THROW(nested_of(initial_leaves(rules, 0, Rank(0), 1), alone), Error);
}

}  // namespace
}  // namespace thalweg::mesh
