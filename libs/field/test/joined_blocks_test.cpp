// SPDX-License-Identifier: MIT
#include <thalweg/field/joined_blocks.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::field {
namespace {

using Joined = std::vector<JoinedBlocks>;

constexpr JoinRule all_levels{.levels = JoinLevels::all};

std::vector<mesh::Key<2>> keys(const std::vector<std::uint64_t>& codes) {
  std::vector<mesh::Key<2>> all;
  for (const auto code : codes) all.push_back({1, code});
  return all;
}

TEST(FindJoined, finds_the_blocks_that_make_up_a_box_twice_as_wide) {
  const auto of_level = keys({1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 16, 17, 18, 19});
  EXPECT_EQ(find_joined<2>(of_level, false, 8, all_levels),
            (Joined{{1, 2}, {3, 4}, {8, 2}, {11, 4}}));
  EXPECT_EQ(find_joined<2>(of_level, false, 8, {}), Joined{});
  EXPECT_EQ(find_joined<2>(keys({0, 1, 2}), false, 8, all_levels), (Joined{{0, 2}}));
  EXPECT_EQ(find_joined<2>(keys({0, 2, 5, 7}), false, 8, all_levels), Joined{});
  EXPECT_EQ(find_joined<2>({}, false, 8, all_levels), Joined{});
}

TEST(FindJoined, finds_halves_and_quarters_of_a_box) {
  std::vector<mesh::Key<3>> of_level;
  for (const std::uint64_t code : {0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15})
    of_level.push_back({2, code});
  EXPECT_EQ(find_joined<3>(of_level, false, 8, all_levels),
            (Joined{{0, 4}, {4, 2}, {8, 2}, {10, 4}}));
  EXPECT_EQ(find_joined<3>(of_level, false, 24, all_levels),
            (Joined{{0, 2}, {2, 2}, {4, 2}, {8, 2}, {10, 2}, {12, 2}}));
}

TEST(FindJoined, may_join_those_of_the_finest_level_alone) {
  const auto four = keys({0, 1, 2, 3});
  const JoinRule rule{.levels = JoinLevels::finest};
  EXPECT_EQ(find_joined<2>(four, true, 8, rule), (Joined{{0, 4}}));
  EXPECT_EQ(find_joined<2>(four, false, 8, rule), Joined{});
}

TEST(FindJoined, joins_no_large_blocks) {
  const auto four = keys({0, 1, 2, 3});
  EXPECT_EQ(find_joined<2>(four, false, 64, all_levels), (Joined{{0, 4}}));
  EXPECT_EQ(find_joined<2>(four, false, mesh::BlockCells<2>(64, 128), all_levels),
            (Joined{{0, 4}}));
  EXPECT_EQ(find_joined<2>(four, false, 128, all_levels), (Joined{{0, 2}, {2, 2}}));
  EXPECT_EQ(find_joined<2>(four, false, 192, all_levels), Joined{});
  EXPECT_EQ(all_levels.most_joined<3>(16), 8u);
  EXPECT_EQ(all_levels.most_joined<3>(24), 2u);
  EXPECT_EQ(all_levels.most_joined<3>(32), 1u);
}

TEST(FindJoined, leaves_as_many_arrays_as_are_wanted) {
  std::vector<mesh::Key<2>> level;
  for (std::uint64_t code = 0; code < 32; ++code) level.push_back({0, code});
  const auto n_arrays = [&](std::size_t least) {
    std::size_t n = level.size();
    for (const auto& blocks :
         find_joined<2>(level, false, 8, {.levels = JoinLevels::all, .least_arrays = least}))
      n -= blocks.n - 1;
    return n;
  };
  EXPECT_EQ(n_arrays(8), 8u);
  EXPECT_EQ(n_arrays(9), 16u);
  EXPECT_EQ(n_arrays(17), 32u);
}

TEST(JoinedCells, are_those_of_the_first_block_and_its_neighbours_above) {
  const Box<3> first{{{16, 0, 8}}, {{24, 16, 12}}};
  EXPECT_EQ(joined_cells(first, 1), first);
  EXPECT_EQ(joined_cells(first, 2), (Box<3>{{{16, 0, 8}}, {{32, 16, 12}}}));
  EXPECT_EQ(joined_cells(first, 4), (Box<3>{{{16, 0, 8}}, {{32, 32, 12}}}));
  EXPECT_EQ(joined_cells(first, 8), (Box<3>{{{16, 0, 8}}, {{32, 32, 16}}}));
}

}  // namespace
}  // namespace thalweg::field
