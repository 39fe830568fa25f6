// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/time_control.hpp>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

// 2 x 1 x 1 root blocks of 4^3 cells, one level: 8 half finest cells a block width on each axis.
Options options() {
  Options o;
  o.block_cells = {4, 4, 4};
  o.init = {2, 1, 1};
  o.num_refine = 1;
  o.time = 10;
  return o;
}

Object moving(Vec<3> centre, Vec<3> movement) {
  return {.type = 2, .centre = centre, .movement = movement, .size = {.1, .1, .1}};
}

TEST(StepLength, is_one_without_an_end_time) {
  EXPECT_EQ(step_length(Options(), {}), 1.0);
}

TEST(StepLength, is_an_equal_part_where_the_number_of_steps_is_given) {
  Options o = options();
  o.num_tsteps = 4;
  EXPECT_EQ(step_length(o, {}), 2.5);
}

TEST(StepLength, lets_the_fastest_move_by_half_of_a_finest_cell) {
  const std::vector<Object> objects{moving({.5, .5, .5}, {0, -.25, 0}),
                                    moving({.5, .5, .5}, {.25, 0, 0})};
  EXPECT_EQ(step_length(options(), objects), 1 / (.25 * 2 * 2 * 2 * 4));
  EXPECT_EQ(step_length(options(), std::span(objects).first(1)), 1 / (.25 * 1 * 2 * 2 * 4));
}

TEST(StepLength, growth_counts_as_movement) {
  std::vector<Object> objects{moving({.5, .5, .5}, {0, .25, 0})};
  objects[0].growth = {0, -.25, 0};
  EXPECT_EQ(step_length(options(), objects), 1 / (.5 * 16));
}

TEST(StepLength, is_one_where_nothing_moves) {
  EXPECT_EQ(step_length(options(), std::vector{moving({.5, .5, .5}, {})}), 1.0);
}

TEST(StepLength, objects_outside_do_not_count_nor_in_the_reference_those_behind_them) {
  const std::vector<Object> objects{moving({1.2, .5, .5}, {9, 9, 9}),
                                    moving({.5, .5, .5}, {0, .25, 0})};
  Options o = options();
  EXPECT_EQ(step_length(o, objects), 1 / (.25 * 16));
  o.quirks = Quirks::reference;
  EXPECT_EQ(step_length(o, objects), 1.0);
}

TEST(IsOver, after_the_steps_or_at_the_time) {
  Options o;
  EXPECT_FALSE(is_over(o, 19, 19));
  EXPECT_TRUE(is_over(o, 20, 20));
  o = options();
  EXPECT_FALSE(is_over(o, 1000, 9.99));
  EXPECT_TRUE(is_over(o, 3, 10));
  o.num_tsteps = 4;
  EXPECT_TRUE(is_over(o, 4, 9.9));
}

}  // namespace
}  // namespace thalweg::miniamr
