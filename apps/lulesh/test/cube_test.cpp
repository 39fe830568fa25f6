// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/cube.hpp>

#include <set>

#include <gtest/gtest.h>

namespace thalweg::lulesh {
namespace {

TEST(LuleshCube, is_made_of_a_cube_of_ranks_only) {
  for (const int side : {1, 2, 3, 10, 1000}) EXPECT_EQ(side_of_ranks(side * side * side), side);
  for (const int n : {2, 3, 7, 9, 26, 28, 999}) EXPECT_EQ(side_of_ranks(n), std::nullopt) << n;
}

TEST(LuleshCube, numbers_elements_as_one_rank_would) {
  std::set<std::uint64_t> seen;
  const Cube whole(6, 1, Rank(0));
  for (std::uint32_t r = 0; r < 27; ++r) {
    const Cube cube(2, 3, Rank(r));
    EXPECT_EQ(cube.rank(), Rank(r));
    for (std::uint32_t e = 0; e < cube.n_elements(); ++e) {
      const std::uint64_t number = cube.global_element(e);
      seen.insert(number);
      EXPECT_EQ(whole.place_of_element(static_cast<std::uint32_t>(number)),
                2 * cube.position() + cube.place_of_element(e));
    }
  }
  EXPECT_EQ(seen.size(), 216U);
  EXPECT_EQ(*seen.rbegin(), 215U);
}

TEST(LuleshCube, counts_elements_of_all_ranks_in_64_bits) {
  const Cube cube(800, 10, Rank(999));
  EXPECT_EQ(cube.global_element(cube.n_elements() - 1), 8000ULL * 8000 * 8000 - 1);
}

TEST(LuleshCube, has_the_same_coordinates_on_both_sides_of_a_face) {
  const Cube low(7, 3, Rank(0)), high(7, 3, Rank(1)), whole(21, 1, Rank(0));
  for (int i = 0; i <= 7; ++i) {
    EXPECT_EQ(high.initial_coordinate(0, i), whole.initial_coordinate(0, 7 + i));
    EXPECT_EQ(high.initial_coordinate(0, i), low.initial_coordinate(0, 7 + i));
  }
  EXPECT_EQ(whole.initial_coordinate(2, 21), 1.125);
}

TEST(LuleshCube, knows_its_neighbours) {
  const Cube corner(2, 3, Rank(0)), middle(2, 3, Rank(13));
  EXPECT_EQ(corner.neighbour({{-1, 0, 0}}), std::nullopt);
  EXPECT_EQ(corner.neighbour({{1, 1, 1}}), Rank(13));
  EXPECT_EQ(middle.neighbour({{-1, -1, -1}}), Rank(0));
  EXPECT_EQ(middle.neighbour({{1, 0, -1}}), Rank(5));
  EXPECT_TRUE(corner.is_in_mesh({{5, 0, 0}}));
  EXPECT_FALSE(corner.is_in_mesh({{6, 0, 0}}));
  EXPECT_FALSE(corner.is_in_mesh({{0, 0, -1}}));
}

}  // namespace
}  // namespace thalweg::lulesh
