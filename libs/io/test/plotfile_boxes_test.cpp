// SPDX-License-Identifier: MIT
#include "../src/plotfile_boxes.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::io::detail {
namespace {

/// Cut a box into pieces of any sizes.
void cut(SplitMix64& random, const Box<3>& box, int n_cuts, std::vector<Box<3>>& pieces) {
  const auto axis = static_cast<int>(random.below(3));
  if (n_cuts == 0 || box.extent(axis) < 2) return pieces.push_back(box);
  Box<3> lower = box, upper = box;
  lower.hi[axis] = upper.lo[axis] =
      box.lo[axis] + 1 + static_cast<int>(random.below(std::uint64_t(box.extent(axis) - 1)));
  cut(random, lower, n_cuts - 1, pieces);
  cut(random, upper, n_cuts - 1, pieces);
}

TEST(OverlapOf, is_none_for_pieces_of_a_box_and_where_two_of_them_are_if_one_grows) {
  SplitMix64 random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<Box<3>> pieces;
    cut(random, Box<3>::cube(30), 6, pieces);
    for (std::size_t p = pieces.size(); p > 1; --p)
      std::swap(pieces[p - 1], pieces[random.below(p)]);
    ASSERT_EQ(overlap_of(pieces), std::nullopt);
    // Fewer, so that the volume alone does not tell.
    pieces.resize(pieces.size() / 2);
    Box<3>& grown = pieces[random.below(pieces.size())];
    grown = grown.grown(static_cast<int>(random.below(3)), 1);
    const bool is_any = std::ranges::any_of(pieces, [&](const Box<3>& other) {
      return &other != &grown && !intersect(grown, other).is_empty();
    });
    const auto found = overlap_of(pieces);
    ASSERT_EQ(found.has_value(), is_any);
    const auto n_there = std::ranges::count_if(
        pieces, [&](const Box<3>& box) { return found && box.contains(*found); });
    ASSERT_EQ(n_there > 1, is_any);
  }
}

TEST(OverlapOf, takes_boxes_of_any_size_and_many) {
  constexpr int far = 1 << 29;
  const Box<3> all{Index<3>::filled(-far), Index<3>::filled(far)};
  EXPECT_EQ(overlap_of({all}), std::nullopt);
  EXPECT_EQ(overlap_of({all, all}), all);
  Box<3> slab = all;
  slab.hi[1] = -far + 1;
  EXPECT_NE(overlap_of({slab, all}), std::nullopt);

  std::vector<Box<3>> slabs;  // so many that no one compares them in pairs
  for (int i = 0; i < 100'000; ++i) {
    slab.lo[1] = i;
    slab.hi[1] = i + 1;
    slabs.push_back(slab);
  }
  EXPECT_EQ(overlap_of(slabs), std::nullopt);
  slabs.push_back(slabs[777]);
  EXPECT_EQ(overlap_of(slabs), slabs[777]);
}

/// Whether a cell of a cube is in some of these boxes, and in none of the others.
bool is_any_outside(int n, const std::vector<Box<3>>& boxes, const std::vector<Box<3>>& others) {
  bool is_any = false;
  for_each(Box<3>::cube(n), [&](const Index<3>& i) {
    const auto has = [&](const Box<3>& box) { return box.contains(i); };
    is_any = is_any || (std::ranges::any_of(boxes, has) && std::ranges::none_of(others, has));
  });
  return is_any;
}

TEST(OutsideOf, is_what_a_look_at_each_cell_finds) {
  SplitMix64 random(11);
  int n_inside = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Box<3>> others, boxes;
    cut(random, Box<3>::cube(8), 3, others);
    others.resize(others.size() - random.below(2));
    for (const Box<3>& other : others) cut(random, other, 2, boxes);
    ASSERT_EQ(outside_of(boxes, others), std::nullopt);
    boxes.clear();
    cut(random, Box<3>::cube(8), 3, boxes);
    boxes.resize(1 + random.below(boxes.size()));
    const auto found = outside_of(boxes, others);
    ASSERT_EQ(found.has_value(), is_any_outside(8, boxes, others));
    n_inside += found ? 0 : 1;
    if (!found) continue;
    EXPECT_TRUE(std::ranges::any_of(boxes, [&](auto& box) { return box.contains(*found); }));
    for (const Box<3>& other : others) EXPECT_TRUE(intersect(other, *found).is_empty());
  }
  EXPECT_TRUE(n_inside > 20 && n_inside < 180) << n_inside;
}

TEST(OutsideOf, takes_very_many_boxes) {
  std::vector<Box<3>> rows, columns;  // each of them crosses all of the others
  for (int i = 0; i < 100'000; ++i) {
    rows.push_back({{{0, i, 0}}, {{100'000, i + 1, 1}}});
    columns.push_back({{{i, 0, 0}}, {{i + 1, 100'000, 1}}});
  }
  EXPECT_EQ(outside_of(rows, columns), std::nullopt);
  EXPECT_EQ(outside_of(rows, {}), rows[0]);
  columns.erase(columns.begin() + 777);
  const auto found = outside_of(rows, columns);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lo[0], 777);
  EXPECT_EQ(found->hi[0], 778);
}

}  // namespace
}  // namespace thalweg::io::detail
