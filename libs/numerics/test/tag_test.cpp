// SPDX-License-Identifier: MIT
#include <thalweg/numerics/tag.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/const_view.hpp>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

using State = test::Advection<2>::State;

/// The tags of the cells [0, 8)^2 for a field, as many as are set.
template <class F>
std::vector<Index<2>> tagged(F f, double threshold) {
  const Box<2> region = Box<2>::cube(8);
  test::Owned<2> u(region.grown(1), 1);
  u.fill([&](int, const Index<2>& i) { return f(i); });
  std::vector<std::uint8_t> memory(64, 7);
  const View<std::uint8_t, 2> tags(memory.data(), region, 1);

  tag_jumps<State>(u(), tags, region, threshold, [](State s) { return std::array{s.q}; });

  std::vector<Index<2>> result;
  for_each(region, [&](const Index<2>& i) {
    EXPECT_LE((tags[0, i]), 1);
    if (tags[0, i] == 1) result.push_back(i);
  });
  return result;
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

}  // namespace
}  // namespace thalweg::numerics
