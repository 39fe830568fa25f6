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

}  // namespace
}  // namespace thalweg::io::detail
