// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <thalweg/core/box.hpp>
#include <thalweg/core/random.hpp>
#include <type_traits>
#include <vector>

namespace thalweg {
namespace {

/// Every cell of a box, by asking each cell of a larger cube.
template <int D>
std::set<Index<D>> cells_of(const Box<D>& box) {
  std::set<Index<D>> cells;
  Index<D> i = Index<D>::filled(-12);
  while (true) {
    if (box.contains(i)) cells.insert(i);
    int a = 0;
    while (a < D && ++i[a] == 24) i[a++] = -12;
    if (a == D) return cells;
  }
}

template <int D>
Box<D> random_box(SplitMix64& random) {
  Box<D> box;
  for (int a = 0; a < D; ++a) {
    box.lo[a] = static_cast<int>(random.below(9)) - 5;
    box.hi[a] = box.lo[a] + static_cast<int>(random.below(6)) - 1;  // sometimes empty
  }
  return box;
}

template <class Dimension>
class BoxOf : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BoxOf, Dimensions);

TYPED_TEST(BoxOf, counts_and_visits_every_cell_once_x_fastest) {
  constexpr int D = TypeParam::value;
  SplitMix64 random(1);
  for (int n = 0; n < 60; ++n) {
    const Box<D> box = random_box<D>(random);
    std::vector<Index<D>> visited, by_rows;

    for_each(box, [&](const Index<D>& i) { visited.push_back(i); });
    for_each_row(box, [&](Index<D> i, int length) {
      for (int k = 0; k < length; ++k, ++i[0]) by_rows.push_back(i);
    });

    const auto expected = cells_of(box);
    EXPECT_EQ(box.n_cells(), static_cast<std::int64_t>(expected.size()));
    EXPECT_EQ(box.is_empty(), expected.empty());
    EXPECT_EQ(std::set<Index<D>>(visited.begin(), visited.end()), expected);
    EXPECT_EQ(visited.size(), expected.size());
    EXPECT_EQ(by_rows, visited);
    EXPECT_TRUE(std::ranges::is_sorted(visited, {}, [](Index<D> i) {
      std::ranges::reverse(i.at);
      return i;
    }));
  }
}

TYPED_TEST(BoxOf, intersection_and_bounding_are_those_of_the_sets) {
  constexpr int D = TypeParam::value;
  SplitMix64 random(2);
  for (int n = 0; n < 60; ++n) {
    const Box<D> a = random_box<D>(random), b = random_box<D>(random);
    const auto cells_a = cells_of(a), cells_b = cells_of(b);
    std::set<Index<D>> common;
    std::ranges::set_intersection(cells_a, cells_b, std::inserter(common, common.end()));

    const Box<D> both = intersect(a, b);
    const Box<D> hull = bounding(a, b);

    EXPECT_EQ(cells_of(both), common);
    EXPECT_TRUE(hull.contains(a) && hull.contains(b));
    EXPECT_EQ(a.contains(b), std::ranges::includes(cells_a, cells_b));
    if (b.is_empty() && !a.is_empty()) {
      EXPECT_EQ(hull, a);
    }
  }
}

TYPED_TEST(BoxOf, coarsened_by_a_factor_an_axis_covers_exactly_the_parents) {
  constexpr int D = TypeParam::value;
  SplitMix64 random(4);
  Index<D> factors;
  for (int a = 0; a < D; ++a) factors[a] = 2 + 3 * a;
  for (int n = 0; n < 60; ++n) {
    const Box<D> box = random_box<D>(random);
    if (box.is_empty()) continue;
    std::set<Index<D>> parents;
    for_each(box, [&](const Index<D>& i) { parents.insert(floor_div(i, factors)); });

    EXPECT_EQ(cells_of(box.coarsened(factors)), parents);
  }
}

TYPED_TEST(BoxOf, coarsened_covers_exactly_the_parents) {
  constexpr int D = TypeParam::value;
  SplitMix64 random(3);
  for (int n = 0; n < 60; ++n) {
    const Box<D> box = random_box<D>(random);
    if (box.is_empty()) continue;
    for (const int r : {2, 4}) {
      std::set<Index<D>> parents;
      for_each(box, [&](const Index<D>& i) { parents.insert(floor_div(i, r)); });

      EXPECT_EQ(cells_of(box.coarsened(r)), parents);
      EXPECT_EQ(box.refined(r).coarsened(r), box);
      EXPECT_EQ(box.refined(r).n_cells(),
                box.n_cells() * static_cast<std::int64_t>(std::pow(r, D)));
    }
  }
}

TEST(Box, grows_on_all_axes_or_on_one) {
  const Box<2> box{{{0, 2}}, {{4, 6}}};

  EXPECT_EQ(box.grown(3), (Box<2>{{{-3, -1}}, {{7, 9}}}));
  EXPECT_EQ(box.grown(1, 2), (Box<2>{{{0, 0}}, {{4, 8}}}));
  EXPECT_EQ(box.grown(-1), (Box<2>{{{1, 3}}, {{3, 5}}}));
  EXPECT_EQ(box.shifted({{1, -2}}), (Box<2>{{{1, 0}}, {{5, 4}}}));
}

TEST(Box, inverted_box_is_empty_and_has_no_cells) {
  const Box<2> box{{{3, 0}}, {{1, 5}}};

  EXPECT_TRUE(box.is_empty());
  EXPECT_EQ(box.n_cells(), 0);
  EXPECT_EQ(box.extent(0), 0);
  EXPECT_TRUE(Box<2>{}.contains(box));
}

}  // namespace
}  // namespace thalweg
