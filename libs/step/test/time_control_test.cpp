// SPDX-License-Identifier: MIT
#include <thalweg/step/time_control.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Step with a stable dt that depends on time, to the end of the run.
template <class Stable>
TimeState run(const TimeSettings& settings, const Stable& stable) {
  TimeState time_state;
  time_state.dt = next_dt(stable(time_state.time), 0.0, time_state.time, settings);
  while (!is_over(time_state, settings)) {
    time_state = advanced(time_state, settings);
    time_state.dt = next_dt(stable(time_state.time), time_state.dt, time_state.time, settings);
  }
  return time_state;
}

TEST(TimeAfter, counts_back_from_the_end_of_the_step) {
  const TimeState at_end{.time = 2.0, .dt = 0.5};
  EXPECT_EQ(time_after(at_end, 0.0), 1.5);
  EXPECT_EQ(time_after(at_end, 0.5), 1.75);
  EXPECT_EQ(time_after(at_end, 1.0), 2.0);
}

TEST(StableDt, is_the_time_in_which_a_signal_crosses_its_share_of_a_cell) {
  EXPECT_EQ(stable_dt(0.3, 7.0, 0.0), 0.3 / 7.0);
  for (const double signal : {0.0, 1e-9, 1.0, 40.0})
    for (const double acceleration : {1e-6, 0.5, 1e4}) {
      const double dt = stable_dt(0.4, signal, acceleration);
      EXPECT_NEAR(signal * dt + 0.5 * acceleration * dt * dt, 0.4, 1e-15);
    }
}

TEST(MustRetry, where_a_state_is_none_or_signals_cross_more_than_a_cell) {
  const TimeSettings settings{.cfl = 0.5, .retries = 3};
  const TimeState step{.dt = 0.2};
  EXPECT_TRUE(must_retry(inadmissible_dt, step, settings));
  EXPECT_FALSE(must_retry(0.2, step, settings));
  // The Courant number after the step is cfl dt / stable.
  EXPECT_FALSE(must_retry(0.5 * 0.2 / 1.09, step, settings));
  EXPECT_TRUE(must_retry(0.5 * 0.2 / 1.11, step, settings));
  EXPECT_TRUE(must_retry(0.0, step, settings));  // signals without bound
}

TEST(MustRetry, not_more_often_than_is_allowed) {
  const TimeSettings settings{.retries = 3};
  EXPECT_TRUE(must_retry(inadmissible_dt, {.dt = 0.2, .n_retries = 2}, settings));
  EXPECT_FALSE(must_retry(inadmissible_dt, {.dt = 0.2, .n_retries = 3}, settings));
  EXPECT_FALSE(must_retry(inadmissible_dt, {.dt = 0.2}, {.retries = 0}));
}

TEST(RetryDt, is_what_the_new_state_allows_but_no_less_than_half) {
  EXPECT_EQ(retry_dt(inadmissible_dt, 0.2), 0.1);
  EXPECT_EQ(retry_dt(0.15, 0.2), 0.15);
  EXPECT_EQ(retry_dt(0.01, 0.2), 0.1);
}

TEST(NextDt, is_the_stable_one_shrunk_at_first) {
  EXPECT_EQ(next_dt(0.25, 0.0, 0.0, {}), 0.25);
  EXPECT_EQ(next_dt(0.25, 0.0, 0.0, {.initial_shrink = 0.5}), 0.125);
}

TEST(NextDt, grows_by_a_factor_at_most_and_falls_at_once) {
  const TimeSettings settings{.max_growth = 1.5, .initial_shrink = 0.1};
  EXPECT_EQ(next_dt(8.0, 1.0, 3.0, settings), 1.5);
  EXPECT_EQ(next_dt(1.25, 1.0, 3.0, settings), 1.25);
  EXPECT_EQ(next_dt(0.01, 1.0, 3.0, settings), 0.01);
}

TEST(NextDt, is_no_larger_than_is_allowed_whatever_is_stable) {
  const TimeSettings settings{.initial_shrink = 0.5, .max_dt = 0.25};
  for (const double stable : {8.0, infinity}) {
    EXPECT_EQ(next_dt(stable, 0.0, 3.0, settings), 0.125);
    EXPECT_EQ(next_dt(stable, 1.0, 3.0, settings), 0.25);
  }
  EXPECT_EQ(next_dt(0.125, 1.0, 3.0, settings), 0.125);
  EXPECT_EQ(next_dt(8.0, 1.0, 9.875, {.end = 10.0, .max_dt = 0.25}), 0.125);
  EXPECT_THROW(next_dt(nan, 1.0, 3.0, settings), std::runtime_error);
}

TEST(NextDt, leaves_no_step_of_a_rounding_where_the_largest_divides_the_run) {
  for (const int n_steps : {10, 20, 100, 1000}) {  // the sum of 10 tenths is below 1
    const TimeSettings settings{.end = 1.0, .max_dt = 1.0 / n_steps};
    TimeState at{.dt = next_dt(infinity, 0.0, 0.0, settings)};
    while (!is_over(at = advanced(at, settings), settings))
      at.dt = next_dt(infinity, at.dt_before, at.time, settings);
    EXPECT_EQ(at.step, n_steps);
    EXPECT_EQ(at.time, 1.0);
  }
}

TEST(NextDt, is_cut_to_reach_the_end_or_stretched_by_a_rounding) {
  EXPECT_EQ(next_dt(0.25, 1.0, 9.75 - 1e-7, {.end = 10.0}), 10.0 - (9.75 - 1e-7));
  EXPECT_EQ(next_dt(0.25, 1.0, 9.75 - 1e-6, {.end = 10.0}), 0.25);
  EXPECT_EQ(next_dt(1.0, 1.0, 9.75, {.end = 10.0}), 0.25);
  EXPECT_EQ(next_dt(1.0, 0.0, 9.75, {.end = 10.0}), 0.25);
  EXPECT_EQ(next_dt(0.125, 1.0, 9.75, {.end = 10.0}), 0.125);
}

TEST(NextDt, after_the_end_is_zero_whatever_is_stable) {
  for (const double stable : {1.0, 0.0, nan, infinity})
    EXPECT_EQ(next_dt(stable, 1.0, 10.0, {.end = 10.0}), 0.0);
}

TEST(NextDt, that_is_no_positive_number_is_an_error_with_the_numbers) {
  for (const double stable : {0.0, -1.0, nan}) {
    EXPECT_THROW(next_dt(stable, 0.0, 2.5, {.end = 10.0}), std::runtime_error) << stable;
    EXPECT_THROW(next_dt(stable, 1.0, 2.5, {.end = 10.0}), std::runtime_error) << stable;
  }
  // No signal and no end: a gas at rest without pressure would make one step of infinite length.
  EXPECT_THROW(next_dt(infinity, 0.0, 2.5, {}), std::runtime_error);
  EXPECT_EQ(next_dt(infinity, 0.0, 2.5, {.end = 10.0}), 7.5);
  try {
    next_dt(-1.0, 0.0, 2.5, {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("2.5"), std::string::npos) << error.what();
  }
}

TEST(NextDt, too_small_to_change_the_time_is_an_error) {
  EXPECT_THROW(next_dt(1e-17, 1e-17, 1.0, {.end = 2.0}), std::runtime_error);
  EXPECT_EQ(next_dt(1e-17, 1e-17, 0.0, {.end = 2.0}), 1e-17);
  EXPECT_EQ(next_dt(8.0, 0x1p-52, 1.0, {.end = 2.0, .max_growth = 1}), 0x1p-52);
}

TEST(NextDt, is_an_error_where_the_state_allows_next_to_nothing) {
  for (const double before : {0.0, 1e-13, 1.0})
    EXPECT_THROW(next_dt(0.9e-12, before, 1.0, {.end = 2.0}), std::runtime_error) << before;
  EXPECT_EQ(next_dt(1.1e-12, 1.0, 1.0, {.end = 2.0}), 1.1e-12);
  EXPECT_THROW(next_dt(1.1e-12, 1.0, 2.0, {}), std::runtime_error);
  try {
    next_dt(2e-17, 1e-3, 0.25, {.end = 2.0});
    FAIL();
  } catch (const std::runtime_error& error) {
    for (const char* part : {"dt = 2e-17 at t = 0.25", "signal speed", "floors"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(NextDt, may_be_tiny_where_not_the_state_makes_it_so) {
  const double end = 1.0 + 0x1p-45;
  EXPECT_EQ(next_dt(0.25, 1.0, 1.0, {.end = end}), 0x1p-45);             // cut at the end
  EXPECT_EQ(next_dt(0x1p-44, 1.0, 1.0, {.end = end}), 0x1p-45);          // of a poor state, too
  EXPECT_EQ(next_dt(0.25, 0x1p-45, 1.0, {.max_growth = 2}), 0x1p-44);    // it goes on after that
  EXPECT_EQ(next_dt(0.25, 1.0, 1.0, {.max_dt = 1e-13}), 1e-13);          // asked for
  EXPECT_EQ(next_dt(0.25, 0.0, 1.0, {.initial_shrink = 4e-13}), 1e-13);  // likewise
  EXPECT_EQ(next_dt(1e-200, 0.0, 0.0, {.end = 2.0}), 1e-200);            // the first of all
  EXPECT_EQ(next_dt(1e-200, 1e-200, 1e-200, {.end = 2.0}), 1e-200);
}

TEST(Advanced, adds_the_step_and_counts_it) {
  const TimeState next = advanced({.step = 4, .time = 1.0, .dt = 0.25}, {.end = 10.0});
  EXPECT_EQ(next, (TimeState{.step = 5, .time = 1.25, .dt = 0.25, .dt_before = 0.25}));
}

TEST(Advanced, hits_the_end_exactly) {
  // 0.03 + (0.3 - 0.03) is not 0.3.
  const TimeSettings settings{.end = 0.3};
  TimeState time_state{.step = 1, .time = 0.03, .dt = 0.0};
  time_state.dt = next_dt(1.0, 0.2, time_state.time, {.end = 0.3, .max_growth = 2.0});
  ASSERT_NE(time_state.time + time_state.dt, settings.end);

  EXPECT_EQ(advanced(time_state, settings).time, 0.3);
  EXPECT_TRUE(is_over(advanced(time_state, settings), settings));
}

TEST(IsOver, at_the_end_or_after_enough_steps) {
  const TimeSettings settings{.end = 1.0, .max_steps = 3};
  EXPECT_FALSE(is_over({.step = 2, .time = 0.9}, settings));
  EXPECT_TRUE(is_over({.step = 3, .time = 0.9}, settings));
  EXPECT_TRUE(is_over({.step = 0, .time = 1.0}, settings));
  EXPECT_TRUE(is_over({}, {.max_steps = 0}));
  EXPECT_TRUE(is_over({}, {.end = 0.0}));
  EXPECT_FALSE(is_over({.step = 1'000'000, .time = 1e300}, {}));
}

TEST(TimeControl, ends_at_the_end_after_the_steps_it_takes) {
  for (const double end : {0.05, 0.3, 1.0, 1.0 / 3.0, 1e-9, 1e9})
    for (const double fraction : {1.0, 0.7, 0.1, 0.013}) {
      const TimeSettings settings{.end = end};
      const TimeState last = run(settings, [&](double) { return fraction * end; });
      EXPECT_EQ(last.time, end);
      EXPECT_EQ(last.dt, 0.0);
      // No last step of a rounding error's size comes on top.
      EXPECT_EQ(static_cast<double>(last.step), std::ceil(1.0 / fraction))
          << end << ' ' << fraction;
    }
}

TEST(TimeControl, stops_after_the_last_step_allowed_wherever_it_is) {
  const TimeState last = run({.end = 10.0, .max_steps = 7}, [](double) { return 0.25; });
  EXPECT_EQ(last.step, 7);
  EXPECT_EQ(last.time, 1.75);
}

TEST(TimeControl, starts_small_and_grows_to_the_stable_dt) {
  const TimeSettings settings{.max_steps = 4, .max_growth = 2.0, .initial_shrink = 0.125};
  const TimeState last = run(settings, [](double) { return 1.0; });
  EXPECT_EQ(last.time, 0.125 + 0.25 + 0.5 + 1.0);
  EXPECT_EQ(last.dt, 1.0);
}

}  // namespace
}  // namespace thalweg::step
