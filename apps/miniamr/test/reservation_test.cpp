// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/reservation.hpp>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

Options options(std::int64_t max_blocks) {
  Options o;
  o.init = {2, 1, 1};
  o.ranks = {1, 3, 1};
  o.num_refine = 2;
  o.max_blocks = max_blocks;
  return o;
}

TEST(Reservation, has_room_for_the_most_blocks_and_those_that_are_there_twice) {
  EXPECT_EQ(blocks_to_reserve(options(16)), 20U);
}

TEST(Reservation, is_no_larger_than_the_finest_mesh_needs) {
  EXPECT_EQ(blocks_to_reserve(options(1'000'000)), 2U * 3 * 64 * 5 / 4);
  Options deep = options(9000);
  deep.num_refine = 20;
  EXPECT_EQ(blocks_to_reserve(deep), 9000U * 5 / 4);
}

TEST(Reservation, counts_more_root_blocks_than_an_int_holds) {
  Options many = options(16);
  many.init = {2048, 2048, 2};
  many.ranks = {1024, 1, 1};
  EXPECT_EQ(blocks_to_reserve(many), 20U);
}

TEST(Reservation, is_none_where_nothing_says_how_many_blocks_there_will_be) {
  EXPECT_EQ(blocks_to_reserve(Options()), 0U);
}

}  // namespace
}  // namespace thalweg::miniamr
