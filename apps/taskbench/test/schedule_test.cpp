// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/schedule.hpp>

#include <gtest/gtest.h>

namespace thalweg::taskbench {
namespace {

/// Steps of one graph whose dependence sets are given.
std::vector<StepShape> steps_of(const std::vector<long>& sets, long width = 4) {
  std::vector<StepShape> steps;
  for (std::size_t t = 0; t < sets.size(); ++t)
    steps.push_back(
        {{.width = width, .dependence_set = sets[t], .width_before = t > 0 ? width : 0}});
  return steps;
}

TEST(PlanSegments, replays_what_repeats_from_the_first_timestep_on) {
  EXPECT_EQ(plan_segments(steps_of(std::vector<long>(20, 0)), {1, 5, 100}),
            (std::vector<Segment>{{0, 5, 4}}));
}

TEST(PlanSegments, prefers_windows_that_leave_nothing_over) {
  EXPECT_EQ(plan_segments(steps_of(std::vector<long>(21, 0)), {1, 8, 100}),
            (std::vector<Segment>{{0, 7, 3}}));
  EXPECT_EQ(plan_segments(steps_of(std::vector<long>(23, 0)), {1, 8, 100}),
            (std::vector<Segment>{{0, 8, 2}, {16, 7, 1}}));
}

TEST(PlanSegments, windows_are_multiples_of_the_unit) {
  std::vector<long> sets;
  for (long t = 0; t < 30; ++t) sets.push_back(t % 3);
  EXPECT_EQ(plan_segments(steps_of(sets), {3, 7, 100}), (std::vector<Segment>{{0, 6, 5}}));
  EXPECT_EQ(plan_segments(steps_of(sets), {3, 1, 100}), (std::vector<Segment>{{0, 3, 10}}));
}

TEST(PlanSegments, replays_end_before_something_else_begins) {
  std::vector<long> sets(12, 0);
  sets.insert(sets.end(), 4, 1);
  // The third replay of 4 would send what timestep 12 of set 0 needs.
  EXPECT_EQ(plan_segments(steps_of(sets), {1, 4, 100}),
            (std::vector<Segment>{{0, 4, 2}, {8, 8, 1}}));
  sets[12] = 0;
  EXPECT_EQ(plan_segments(steps_of(sets), {1, 4, 100}),
            (std::vector<Segment>{{0, 4, 3}, {12, 4, 1}}));
}

TEST(PlanSegments, growing_widths_come_first_and_once) {
  std::vector<StepShape> steps = steps_of(std::vector<long>(17, 0));
  steps[0][0].width = 2;
  steps[1][0].width_before = 2;
  EXPECT_EQ(plan_segments(steps, {1, 5, 100}), (std::vector<Segment>{{0, 2, 1}, {2, 5, 3}}));
}

TEST(PlanSegments, cuts_what_does_not_repeat_into_pieces) {
  std::vector<long> sets;
  for (long t = 0; t < 7; ++t) sets.push_back(t);
  EXPECT_EQ(plan_segments(steps_of(sets), {1, 2, 3}),
            (std::vector<Segment>{{0, 3, 1}, {3, 3, 1}, {6, 1, 1}}));
  EXPECT_TRUE(plan_segments({}, {1, 2, 3}).empty());
}

}  // namespace
}  // namespace thalweg::taskbench
