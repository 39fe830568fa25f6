// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/regions.hpp>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace thalweg::lulesh {
namespace {

std::vector<std::size_t> sizes_of(const std::vector<Region>& regions) {
  std::vector<std::size_t> sizes;
  for (const Region& region : regions) sizes.push_back(region.elements.size());
  return sizes;
}

TEST(LuleshRegions, are_the_references) {
  EXPECT_EQ(sizes_of(make_regions({}, 1000, 0)),
            (std::vector<std::size_t>{0, 14, 14, 78, 389, 55, 73, 44, 148, 85, 100}));
}

TEST(LuleshRegions, have_each_element_once_in_order) {
  for (const std::uint32_t rank : {0U, 1U, 12U})
    for (const int n : {1, 2, 11, 40}) {
      std::vector<std::uint32_t> all;
      for (const Region& region : make_regions({.n_regions = n}, 343, rank)) {
        EXPECT_TRUE(std::ranges::is_sorted(region.elements));
        all.insert(all.end(), region.elements.begin(), region.elements.end());
      }
      std::ranges::sort(all);
      std::vector<std::uint32_t> expected(343);
      std::iota(expected.begin(), expected.end(), 0U);
      EXPECT_EQ(all, expected);
    }
}

TEST(LuleshRegions, are_others_on_other_ranks) {
  EXPECT_NE(sizes_of(make_regions({}, 1000, 0)), sizes_of(make_regions({}, 1000, 1)));
}

TEST(LuleshRegions, cost_what_the_reference_says) {
  std::vector<std::int64_t> costs;
  for (const Region& region : make_regions({.cost = 3}, 8, 0))
    costs.push_back(region.n_repetitions);
  EXPECT_EQ(costs, (std::vector<std::int64_t>{1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 40}));
  EXPECT_EQ(make_regions({.n_regions = 1}, 8, 0)[0].n_repetitions, 2);
}

TEST(LuleshRegions, are_refused_where_one_would_hardly_ever_be_drawn) {
  EXPECT_TRUE(is_drawable({}));
  EXPECT_TRUE(is_drawable({.n_regions = 1, .balance = 64}));
  EXPECT_TRUE(is_drawable({.n_regions = 2, .balance = 13}));
  EXPECT_FALSE(is_drawable({.n_regions = 2, .balance = 14}));
  EXPECT_FALSE(is_drawable({.n_regions = 11, .balance = 9}));  // 2^31
}

}  // namespace
}  // namespace thalweg::lulesh
