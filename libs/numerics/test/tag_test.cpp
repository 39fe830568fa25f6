// SPDX-License-Identifier: MIT
#include <thalweg/numerics/tag.hpp>

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/const_view.hpp>

#include "advection.hpp"
#include "tagged.hpp"

namespace thalweg::numerics {
namespace {

using Amount = test::Advection<2>::State;

template <class F>
std::vector<Index<2>> tagged(F f, double threshold) {
  return test::tagged<2>(f, [=](ConstView<2> u, const auto& tags, const Box<2>& region) {
    tag_jumps<Amount>(u, tags, region, threshold, [](Amount s) { return std::array{s.q}; });
  });
}

TEST(TagJumps, tags_both_sides_of_a_jump_along_each_axis) {
  for (int axis = 0; axis < 2; ++axis) {
    const auto tags = tagged([&](const Index<2>& i) { return i[axis] < 4 ? 1.0 : 2.0; }, 0.3);

    ASSERT_EQ(tags.size(), 16u);
    for (const Index<2>& i : tags) EXPECT_TRUE(i[axis] == 3 || i[axis] == 4);
  }
}

TEST(TagJumps, leaves_changes_below_the_threshold) {
  EXPECT_TRUE(tagged([](const Index<2>&) { return 3.0; }, 0.3).empty());
  // Half the difference is 0.25 of the smaller value.
  const auto step = [](const Index<2>& i) { return i[0] < 4 ? 1.0 : 1.5; };
  EXPECT_TRUE(tagged(step, 0.26).empty());
  EXPECT_EQ(tagged(step, 0.24).size(), 16u);
}

TEST(TagJumps, is_relative) {
  const auto small = [](const Index<2>& i) { return i[0] < 4 ? 1e-9 : 2e-9; };
  EXPECT_EQ(tagged(small, 0.3).size(), 16u);
}

TEST(TagJumps, are_the_same_however_the_cells_are_cut_into_blocks) {
  const auto f = [](const Index<2>& i) { return 2.0 + std::sin(1.3 * i[0] + 0.8 * i[1] * i[1]); };
  const auto whole = tagged(f, 0.4);
  EXPECT_GT(whole.size(), 8u);
  EXPECT_LT(whole.size(), 56u);
  EXPECT_EQ(whole, test::tagged<2>(f, [](ConstView<2> u, const auto& tags, const Box<2>& region) {
              for (const auto& part : test::quarters(region))
                tag_jumps<Amount>(u, tags, part, 0.4, [](Amount s) { return std::array{s.q}; });
            }));
}

TEST(TagDifferences, compares_a_change_with_the_smallest_scale_around) {
  // The value grows by 1 a cell; the scale is 2, but 1/2 in one cell.
  const Index<2> weak{{3, 5}};
  const auto f = [&](const Index<2>& i) { return i == weak ? 0.5 : 2.0; };
  const auto with = [&](double threshold) {
    return test::tagged<2>(f, [=](ConstView<2> u, const auto& tags, const Box<2>& region) {
      tag_differences<Amount>(u, tags, region, threshold, [](Amount s) {
        return std::array{ScaledValue{1.0, 1.0}, ScaledValue{-4.0 * s.q, s.q}};
      });
    });
  };
  // -4 q changes by 6 between the neighbours of the weak cell and it, so by 3 a cell.
  EXPECT_EQ(with(5.9).size(), 4u);
  EXPECT_TRUE(with(6.1).empty());
}

TEST(TagDifferences, of_several_rules_add_up) {
  const auto f = [](const Index<2>& i) { return i[0] < 4 ? 1.0 : 2.0; };
  const auto both = test::tagged<2>(f, [](ConstView<2> u, const auto& tags, const Box<2>& region) {
    tag_jumps<Amount>(u, tags, region, 0.3, [](Amount s) { return std::array{s.q}; });
    tag_jumps<Amount>(u, tags, region, 9.0, [](Amount s) { return std::array{s.q}; });
  });
  EXPECT_EQ(both.size(), 16u);
}

}  // namespace
}  // namespace thalweg::numerics
