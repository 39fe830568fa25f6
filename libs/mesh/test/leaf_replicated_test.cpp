// SPDX-License-Identifier: MIT
#include <thalweg/mesh/testing/leaf_replicated.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
std::vector<testing::FlaggedLeaf<D>> all_with_wishes(const testing::LeafCase<D>& c, int time,
                                                     const std::vector<Key<D>>& leaves) {
  std::vector<testing::FlaggedLeaf<D>> all;
  for (const Key<D>& leaf : leaves) all.push_back({leaf, testing::random_flag(c, time, leaf)});
  return all;
}

// Cells of the finest level that a block covers.
template <int D>
Box<D> extent(const Geometry<D>& geometry, const Key<D>& key) {
  Box<D> box = geometry.cells(key);
  for (int l = key.level; l < geometry.max_level(); ++l) box = box.refined(geometry.ratio(l));
  return box;
}

// Whether two boxes touch across what counts, also around periodic axes.
template <int D>
bool queries(const Geometry<D>& geometry, Adjacency across, const Box<D>& a, const Box<D>& b) {
  bool found = false;
  const Index<D> domain = geometry.domain_cells(geometry.max_level()).hi;
  for (int o = 0; o < n_offsets<D>; ++o) {
    Index<D> shift = offset_at<D>(o);
    bool is_possible = true;
    for (int axis = 0; axis < D; ++axis) {
      is_possible = is_possible && (shift[axis] == 0 || geometry.is_periodic(axis));
      shift[axis] *= domain[axis];
    }
    int n_apart = 0;  // axes along which they only share a plane
    bool is_near = is_possible;
    const Box<D> image = b.shifted(shift);
    for (int axis = 0; axis < D; ++axis) {
      is_near = is_near && a.lo[axis] <= image.hi[axis] && image.lo[axis] <= a.hi[axis];
      n_apart += a.lo[axis] == image.hi[axis] || image.lo[axis] == a.hi[axis] ? 1 : 0;
    }
    found = found || (is_near && n_apart > 0 && n_apart <= static_cast<int>(across));
  }
  return found;
}

template <int D>
bool is_balanced(const LeafRules<D>& rules, const std::vector<Key<D>>& leaves) {
  for (const Key<D>& a : leaves)
    for (const Key<D>& b : leaves)
      if (a.level > b.level + 1 && queries(rules.geometry, rules.balance, extent(rules.geometry, a),
                                           extent(rules.geometry, b)))
        return false;
  return true;
}

// Leaves in the curve's order that cover every place once.
template <int D>
bool is_complete(const LeafRules<D>& rules, const std::vector<Key<D>>& leaves) {
  std::int64_t n_cells = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!rules.geometry.contains(leaves[i])) return false;
    if (i > 0 && rules.end(leaves[i - 1]) > rules.position(leaves[i])) return false;
    n_cells += extent(rules.geometry, leaves[i]).n_cells();
  }
  return n_cells == rules.geometry.domain_cells(rules.geometry.max_level()).n_cells();
}

// No family can be joined: that would be unbalanced, or a finer flag would be lost.
template <int D>
bool is_coarsest(const LeafRules<D>& rules, const std::vector<testing::FlaggedLeaf<D>>& asked,
                 const std::vector<Key<D>>& leaves) {
  const Geometry<D>& geometry = rules.geometry;
  const auto covers = [&](const Key<D>& a, const Key<D>& b) {
    return a.level <= b.level && geometry.ancestor(b, a.level) == a;
  };
  for (const Key<D>& leaf : leaves) {
    if (leaf.level == 0) continue;
    const Key<D> combined = geometry.parent(leaf);
    const int ratio = geometry.ratio(combined.level);
    if (leaf != child(combined, 0, ratio)) continue;
    std::vector<Key<D>> remote_owners{combined};
    for (const Key<D>& other : leaves)
      if (!covers(combined, other)) remote_owners.push_back(other);
    if (remote_owners.size() + static_cast<std::size_t>(n_children<D>(ratio)) != leaves.size() + 1)
      continue;  // not all its children are leaves
    std::size_t n_asking = 0;
    bool is_needed = false;
    for (const auto& [key, flag] : asked) {
      if (!covers(combined, key)) continue;
      if (key == combined)
        is_needed = is_needed || flag == RefineFlag::refine;
      else if (key.level == combined.level + 1 && flag == RefineFlag::coarsen)
        ++n_asking;
      else
        is_needed = true;
    }
    const bool is_wanted =
        is_needed || (n_asking > 0 && n_asking != static_cast<std::size_t>(n_children<D>(ratio)));
    if (!is_wanted && is_balanced(rules, remote_owners)) return false;
  }
  return true;
}

template <int D>
void expect_coarsest_balanced(int n_cases) {
  std::size_t n_fine = 0;
  for (int seed = 0; seed < n_cases; ++seed) {
    const auto c = testing::leaf_case<D>(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(::testing::Message() << c);
    std::vector<Key<D>> leaves = initial_leaves(c.rules, 0, Rank(0), 1).leaves;
    for (int time = 0; time < c.n_adaptations && leaves.size() < 150; ++time) {
      const auto asked = all_with_wishes(c, time, leaves);
      leaves = testing::adapt_all<D>(c.rules, asked);
      ASSERT_TRUE(is_complete(c.rules, leaves));
      if (leaves.size() > 600) break;  // the oracle is slow
      ASSERT_TRUE(is_balanced(c.rules, leaves));
      ASSERT_TRUE(is_coarsest(c.rules, asked, leaves));
    }
    for (const Key<D>& leaf : leaves) n_fine += leaf.level > 1 ? 1u : 0u;
  }
  EXPECT_GT(n_fine, static_cast<std::size_t>(n_cases)) << "the cases are too easy";
}

TEST(AdaptAll, makes_the_coarsest_complete_balanced_tree_1d) {
  expect_coarsest_balanced<1>(200);
}
TEST(AdaptAll, makes_the_coarsest_complete_balanced_tree_2d) {
  expect_coarsest_balanced<2>(60);
}
TEST(AdaptAll, makes_the_coarsest_complete_balanced_tree_3d) {
  expect_coarsest_balanced<3>(20);
}

TEST(AdaptAll, a_family_is_joined_only_whole) {
  LeafRules<1> rules{Geometry<1>({.root_blocks = {2}, .max_level = 2}), Adjacency::faces,
                     Curve::morton};
  const std::vector<testing::FlaggedLeaf<1>> half{{{1, 0}, RefineFlag::coarsen},
                                                  {{1, 1}, RefineFlag::keep},
                                                  {{1, 2}, RefineFlag::coarsen},
                                                  {{1, 3}, RefineFlag::coarsen}};

  EXPECT_EQ(testing::adapt_all<1>(rules, half), (std::vector<Key<1>>{{1, 0}, {1, 1}, {0, 1}}));
}

TEST(AdaptAll, a_family_that_balance_needs_stays) {
  LeafRules<1> rules{Geometry<1>({.root_blocks = {2}, .max_level = 2}), Adjacency::faces,
                     Curve::morton};
  const std::vector<testing::FlaggedLeaf<1>> beside{{{1, 0}, RefineFlag::keep},
                                                    {{1, 1}, RefineFlag::refine},
                                                    {{1, 2}, RefineFlag::coarsen},
                                                    {{1, 3}, RefineFlag::coarsen}};

  EXPECT_EQ(testing::adapt_all<1>(rules, beside),
            (std::vector<Key<1>>{{1, 0}, {2, 2}, {2, 3}, {1, 2}, {1, 3}}));
}

TEST(AdaptReplicated, one_flag_for_each_leaf) {
  const LeafForest<1> forest = initial_leaves(LeafRules<1>{}, 0, Rank(0), 1);
  EXPECT_THROW(testing::send_to_all(forest, std::span<const RefineFlag>()), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
