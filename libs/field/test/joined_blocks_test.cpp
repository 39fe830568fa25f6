// SPDX-License-Identifier: MIT
#include <thalweg/field/joined_blocks.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::field {
namespace {

using Positions = std::vector<std::size_t>;

std::vector<mesh::Key<2>> keys(const std::vector<std::uint64_t>& codes) {
  std::vector<mesh::Key<2>> all;
  for (const auto code : codes) all.push_back({1, code});
  return all;
}

TEST(FindJoined, finds_the_blocks_that_make_up_a_box_twice_as_wide) {
  const auto of_level = keys({1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 16, 17, 18, 19});
  EXPECT_EQ(find_joined<2>(of_level, false, 8, {.levels = JoinLevels::all}), (Positions{3, 11}));
  EXPECT_EQ(find_joined<2>(of_level, false, 8, {}), Positions{});
  EXPECT_EQ(find_joined<2>(keys({0, 1, 2}), false, 8, {.levels = JoinLevels::all}), Positions{});
  EXPECT_EQ(find_joined<2>({}, false, 8, {.levels = JoinLevels::all}), Positions{});
}

TEST(FindJoined, may_join_those_of_the_finest_level_alone) {
  const auto four = keys({0, 1, 2, 3});
  const JoinRule rule{.levels = JoinLevels::finest};
  EXPECT_EQ(find_joined<2>(four, true, 8, rule), Positions{0});
  EXPECT_EQ(find_joined<2>(four, false, 8, rule), Positions{});
}

TEST(FindJoined, joins_no_large_blocks) {
  const auto four = keys({0, 1, 2, 3});
  EXPECT_EQ(find_joined<2>(four, false, 64, {.levels = JoinLevels::all}), Positions{0});
  EXPECT_EQ(find_joined<2>(four, false, mesh::BlockCells<2>(64, 128), {.levels = JoinLevels::all}),
            Positions{0});
  EXPECT_EQ(find_joined<2>(four, false, 128, {.levels = JoinLevels::all}), Positions{});
  EXPECT_TRUE((JoinRule{.levels = JoinLevels::all}.allows<3>(16)));
  EXPECT_FALSE((JoinRule{.levels = JoinLevels::all}.allows<3>(24)));
}

TEST(FindJoined, leaves_as_many_arrays_as_are_wanted) {
  std::vector<mesh::Key<2>> level;
  for (std::uint64_t code = 0; code < 32; ++code) level.push_back({0, code});
  const auto n_joined = [&](std::size_t least) {
    return find_joined<2>(level, false, 8, {.levels = JoinLevels::all, .least_arrays = least})
        .size();
  };
  EXPECT_EQ(n_joined(8), 8u);
  EXPECT_EQ(n_joined(9), 0u);
}

TEST(JoinedCells, are_those_of_the_first_block_and_its_neighbours_above) {
  const mesh::Geometry<2> geometry({.root_blocks = {{4, 4}}, .block_cells = {8, 16}});
  EXPECT_EQ(joined_cells<2>(geometry, mesh::key_at(0, Index<2>{{2, 0}})),
            (Box<2>{{{16, 0}}, {{32, 32}}}));
}

}  // namespace
}  // namespace thalweg::field
