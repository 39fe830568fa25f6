// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_neighbours.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh::testing {
namespace {

// A block in cells of the finest level.
template <int D>
Box<D> extent(const Geometry<D>& geometry, const Key<D>& key) {
  Box<D> box = geometry.cells(key);
  for (int l = key.level; l < geometry.max_level(); ++l) box = box.refined(geometry.ratio(l));
  return box;
}

// The cells just outside a box in a direction.
template <int D>
Box<D> just_outside(Box<D> box, const Index<D>& offset) {
  for (int a = 0; a < D; ++a) {
    if (offset[a] < 0) box.hi[a] = box.lo[a], --box.lo[a];
    if (offset[a] > 0) box.lo[a] = box.hi[a], ++box.hi[a];
  }
  return box;
}

// Where the parts of a box outside the domain lie inside it, around periodic axes.
template <int D>
std::vector<Box<D>> wrapped(const Geometry<D>& geometry, const Box<D>& box) {
  const Box<D> domain = geometry.domain_cells(geometry.max_level());
  std::vector<Box<D>> images;
  for (int o = 0; o < n_offsets<D>; ++o) {
    Index<D> shift = offset_at<D>(o);
    bool is_possible = true;
    for (int axis = 0; axis < D; ++axis) {
      is_possible = is_possible && (shift[axis] == 0 || geometry.is_periodic(axis));
      shift[axis] *= domain.hi[axis];
    }
    const Box<D> image = intersect(box.shifted(shift), domain);
    if (is_possible && !image.is_empty()) images.push_back(image);
  }
  return images;
}

template <int D>
struct Known {
  LeafForest<D> forest;
  std::optional<LeafNeighbours<D>> neighbours;
};

template <int D>
void expect_known(const LeafCase<D>& c, Adjacency reach, int n_ranks) {
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  const Geometry<D>& geometry = c.rules.geometry;
  const auto known = on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    Known<D> k{random_leaves(c, rank, n_ranks, collectives), std::nullopt};
    k.neighbours = find_neighbours(k.forest, reach, collectives);
    return k;
  });
  std::vector<OwnedLeaf<D>> all;
  std::vector<Box<D>> rank_ranges;
  for (const auto& k : known)
    for (const Key<D>& leaf : k.forest.leaves) {
      all.push_back({leaf, k.forest.rank});
      rank_ranges.push_back(extent(geometry, leaf));
    }

  // The oracle is slow: of many leaves it looks at some.
  const std::size_t stride = 1 + all.size() / 64;
  for (const auto& [forest, neighbours] : known) {
    std::vector<OwnedLeaf<D>> needed;
    for (std::size_t i = 0; i < forest.leaves.size(); i += stride) {
      const Key<D>& leaf = forest.leaves[i];
      needed.push_back({leaf, forest.rank});
      for (int o = 0; o < n_offsets<D>; ++o) {
        const Index<D> offset = offset_at<D>(o);
        if (!reaches(reach, offset)) continue;
        const auto outside = wrapped(geometry, just_outside(extent(geometry, leaf), offset));
        std::vector<OwnedLeaf<D>> expected;
        for (std::size_t other = 0; other < all.size(); ++other)
          if (std::ranges::any_of(outside, [&](const Box<D>& image) {
                return !intersect(image, rank_ranges[other]).is_empty();
              }))
            expected.push_back(all[other]);
        ASSERT_EQ(neighbours->at(leaf, offset), expected);
        needed.insert(needed.end(), expected.begin(), expected.end());
      }
    }
    if (stride > 1) continue;
    for (const OwnedLeaf<D>& leaf : neighbours->known())
      ASSERT_NE(std::find(needed.begin(), needed.end(), leaf), needed.end()) << "nobody needs it";
  }
}

template <int D>
void expect_all_known(int n_cases) {
  for (int seed = 0; seed < n_cases; ++seed) {
    auto c = leaf_case<D>(static_cast<std::uint64_t>(seed));
    c.n_adaptations = std::min(c.n_adaptations, D == 3 ? 2 + seed % 2 : 3 + seed % 3);
    const auto reach = static_cast<Adjacency>(1 + seed % 3);
    expect_known(c, reach, std::array{1, 2, 3, 5}[static_cast<std::size_t>(seed) % 4]);
  }
}

TEST(LeafNeighbours, are_what_all_leaves_say_1d) {
  expect_all_known<1>(100);
}
TEST(LeafNeighbours, are_what_all_leaves_say_2d) {
  expect_all_known<2>(80);
}
TEST(LeafNeighbours, are_what_all_leaves_say_3d) {
  expect_all_known<3>(24);
}

TEST(LeafNeighbours, are_known_with_more_ranks_than_leaves) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    auto c = leaf_case<2>(seed);
    c.n_adaptations = 2;
    expect_known(c, Adjacency::corners, 64);
  }
}

TEST(LeafNeighbours, a_direction_not_asked_for_is_a_broken_contract) {
  const LeafForest<2> forest = initial_leaves(LeafRules<2>{}, 0, Rank(0), 1);
  const LeafNeighbours<2> neighbours(forest, Adjacency::faces, {});
  EXPECT_TRUE(neighbours.at({0, 0}, {1, 0}).empty());
  EXPECT_THROW(neighbours.at({0, 0}, {1, 1}), ContractViolation);
  EXPECT_EQ(neighbours.n_bytes(), sizeof(OwnedLeaf<2>) + sizeof(std::uint64_t));
  EXPECT_EQ(neighbours.revision(), 0u);
}

template <int D>
void expect_same_without_table(std::uint64_t seed, int n_ranks) {
  const auto c = leaf_case<D>(seed);
  auto without = c;
  without.directory = Directory::routed;
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const auto make = [&](const LeafCase<D>& of) {
      const Threshold threshold{seed % 2 == 0 ? 1 : 1.3};
      const LeafForest<D> old = random_leaves(of, rank, n_ranks, collectives);
      return adapt<D>(old, random_flags(of, 9, old), collectives, random_weight<D>, threshold);
    };
    const Partitioned<D> a = make(c), b = make(without);
    EXPECT_EQ(a.imbalance_before, b.imbalance_before);
    EXPECT_EQ(a.imbalance_after, b.imbalance_after);
    EXPECT_EQ(a.forest.leaves, b.forest.leaves);
    EXPECT_EQ(a.forest.finest, b.forest.finest);
    EXPECT_EQ(a.forest.n_global, b.forest.n_global);
    EXPECT_EQ(a.forest.first_global, b.forest.first_global);
    EXPECT_EQ(a.forest.curve_range().begin, b.forest.curve_range().begin);
    EXPECT_EQ(a.forest.curve_range().end, b.forest.curve_range().end);
    EXPECT_EQ(b.forest.directory.routing_table().capacity(), routing_table_size(n_ranks));
    EXPECT_TRUE(b.forest.directory.splitters().empty());
    const auto reach = static_cast<Adjacency>(1 + seed % 3);
    EXPECT_EQ(find_neighbours(a.forest, reach, collectives),
              find_neighbours(b.forest, reach, collectives));
    return 0;
  });
}

TEST(LeafNeighbours, and_leaves_are_the_same_without_a_table) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const int n_ranks : {1, 2, 3, 5, 7, 16}) {
      expect_same_without_table<1>(seed, n_ranks);
      if (n_ranks < 16 || seed < 3) expect_same_without_table<2>(seed, n_ranks);
      if (n_ranks < 7 && seed < 5) expect_same_without_table<3>(seed, n_ranks);
    }
}

}  // namespace
}  // namespace thalweg::mesh::testing
