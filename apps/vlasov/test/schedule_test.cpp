// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/schedule.hpp>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

TEST(Schedule, has_equal_steps_that_end_exactly_at_the_end) {
  const Schedule schedule(0.1, {.end = 45}, {});

  EXPECT_EQ(schedule.last_step(), 450);
  EXPECT_EQ(schedule.time_at(450), 45);
  EXPECT_EQ(schedule.dt_after(449), 0.1);
  EXPECT_EQ(schedule.at(0), (step::TimeState{.step = 0, .time = 0, .dt = 0.1, .dt_before = 0}));
  EXPECT_EQ(schedule.at(3).dt_before, 0.1);
}

TEST(Schedule, has_a_shorter_last_step_where_the_end_is_no_multiple) {
  const Schedule schedule(0.25, {.end = 1.1}, {});

  EXPECT_EQ(schedule.last_step(), 5);
  EXPECT_NEAR(schedule.dt_after(4), 0.1, 1e-15);
  EXPECT_EQ(schedule.time_at(5), 1.1);
  EXPECT_EQ(schedule.at(5).dt_before, schedule.dt_after(4));
}

TEST(Schedule, ends_after_the_last_step_that_is_allowed) {
  EXPECT_EQ(Schedule(0.25, {.end = 1, .max_steps = 3}, {}).last_step(), 3);
  EXPECT_EQ(Schedule(0.25, {.max_steps = 3}, {}).last_step(), 3);
}

TEST(Schedule, has_the_same_times_wherever_it_goes_on_from) {
  const Schedule whole(0.1, {.end = 2}, {});
  const Schedule part(0.1, {.end = 2}, whole.at(7));

  for (int step = 7; step <= 20; ++step) EXPECT_EQ(part.at(step), whole.at(step));
}

TEST(Schedule, goes_on_with_whole_steps_from_the_end_of_a_shorter_one) {
  const Schedule before(0.25, {.end = 1.1}, {});
  const Schedule schedule(0.25, {.end = 2.1}, before.at(5));

  EXPECT_EQ(schedule.at(5).time, 1.1);
  EXPECT_EQ(schedule.at(5).dt, 0.25);
  EXPECT_EQ(schedule.at(5).dt_before, before.at(5).dt_before);
  EXPECT_EQ(schedule.last_step(), 9);
}

TEST(Schedule, has_the_same_times_wherever_a_run_that_was_made_longer_goes_on_from) {
  const Schedule before(0.1, {.end = 0.75}, {});
  const Schedule whole(0.1, {.end = 5.03}, before.at(8), before.origin());
  EXPECT_EQ(whole.origin(), (Origin{.step = 8, .time = 0.75}));

  for (int from = 8; from < whole.last_step(); ++from) {
    const Schedule part(0.1, {.end = 5.03}, whole.at(from), whole.origin());
    for (std::int64_t step = from; step <= whole.last_step(); ++step)
      EXPECT_EQ(part.at(step), whole.at(step));
  }
}

}  // namespace
}  // namespace thalweg::vlasov
