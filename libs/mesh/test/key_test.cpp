// SPDX-License-Identifier: MIT
#include <thalweg/mesh/key.hpp>

#include <unordered_set>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
void expect_family(int ratio) {
  for_each(Box<D>::cube(5), [&](const Index<D>& place) {
    const Key<D> key = key_at(1, place);
    const auto family = children(key, ratio);

    EXPECT_EQ(family.size(), static_cast<std::size_t>(n_children<D>(ratio)));
    const Box<D> under = Box<D>{place, place + Index<D>::filled(1)}.refined(ratio);
    EXPECT_EQ(under.n_cells(), n_children<D>(ratio));
    for (std::size_t i = 0; i < family.size(); ++i) {
      EXPECT_EQ(parent(family[i], ratio), key);
      EXPECT_EQ(ancestor(family[i], 0, ratio), parent(key, ratio));
      EXPECT_EQ(family[i].level, 2);
      EXPECT_TRUE(under.contains(coordinates(family[i])));
      if (i > 0) {
        EXPECT_LT(family[i - 1], family[i]);
      }
    }
  });
}

TEST(Key, parent_of_child_is_identity) {
  for (const int ratio : {2, 4}) {
    expect_family<1>(ratio);
    expect_family<2>(ratio);
    expect_family<3>(ratio);
  }
}

TEST(Key, has_an_ancestor_on_every_level_whatever_the_ratios) {
  const Ratios ratios{2, 4, 2};
  const Key<3> key = key_at<3>(3, {15, 9, 2});

  EXPECT_EQ(ancestor(key, 3, ratios), key);
  EXPECT_EQ(ancestor(key, 2, ratios), key_at<3>(2, {7, 4, 1}));
  EXPECT_EQ(ancestor(key, 1, ratios), key_at<3>(1, {1, 1, 0}));
  EXPECT_EQ(ancestor(key, 0, ratios), key_at<3>(0, {0, 0, 0}));
}

TEST(Key, names_its_place) {
  EXPECT_EQ(coordinates(key_at<3>(4, {7, 0, 12})), (Index<3>{7, 0, 12}));
  EXPECT_EQ(key_at<3>(4, {7, 0, 12}).level, 4);
}

TEST(Key, is_ordered_by_level_then_code) {
  EXPECT_LT((Key<2>{0, 100}), (Key<2>{1, 0}));
  EXPECT_LT((Key<2>{1, 3}), (Key<2>{1, 4}));
}

TEST(Key, hash_tells_levels_and_places_apart) {
  std::unordered_set<std::size_t> hashes;
  for (int level = 0; level < 8; ++level)
    for (std::uint64_t code = 0; code < 1000; ++code)
      hashes.insert(std::hash<Key<3>>{}(Key<3>{level, code}));
  EXPECT_EQ(hashes.size(), 8000u);
}

TEST(Key, root_has_no_parent) {
  EXPECT_THROW(parent(Key<1>{0, 3}, 2), ContractViolation);
  EXPECT_THROW(parent(Key<1>{1, 3}, 3), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
