// SPDX-License-Identifier: MIT
#include <thalweg/app/cadence.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::app {
namespace {

using step::TimeState;

TEST(Cadence, of_steps_is_due_at_their_multiples) {
  const Cadence cadence{.steps = 6};
  EXPECT_EQ(cadence.next_stop({.step = 0, .dt = 1}, 1.5), 6);
  EXPECT_EQ(cadence.next_stop({.step = 6, .dt = 1}, 1.5), 12);
  EXPECT_TRUE(cadence.is_due({.step = 6}, {.step = 12}));
  EXPECT_FALSE(cadence.is_due({.step = 6}, {.step = 11}));
}

TEST(Cadence, not_set_is_never_due) {
  const Cadence never;
  EXPECT_FALSE(never.is_set());
  EXPECT_EQ(never.next_stop({.step = 5, .dt = 1}, 1.5), std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(never.is_due({.step = 5}, {.step = 6, .time = 100}));
}

/// Whatever dt does within its limits, and however a run is cut into pieces: due after the first
/// step that reaches a multiple, and after no other.
TEST(Cadence, of_time_misses_no_multiple_and_is_due_once_for_each) {
  constexpr double growth = 1.5, every = 0.7;
  SplitMix64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<TimeState> run{{.step = 0, .time = 0, .dt = 0.01 * random.uniform() + 1e-4}};
    while (run.back().time < 5) {
      const TimeState& last = run.back();
      const double dt = last.dt * (random.below(4) == 0 ? growth : 0.2 + 0.9 * random.uniform());
      run.push_back({.step = last.step + 1, .time = last.time + last.dt, .dt = std::max(dt, 1e-4)});
    }
    std::vector<std::int64_t> expected, found;
    for (std::size_t i = 1; i < run.size(); ++i)
      if (std::floor(run[i].time / every) > std::floor(run[i - 1].time / every))
        expected.push_back(run[i].step);
    const Cadence cadence{.time = every};
    for (std::int64_t at = 0, end = run.back().step; at < end;) {
      const TimeState before = run[static_cast<std::size_t>(at)];
      const auto piece = static_cast<std::int64_t>(1 + random.below(20));
      at = std::min({cadence.next_stop(before, growth), before.step + piece, end});
      ASSERT_GT(at, before.step);
      if (cadence.is_due(before, run[static_cast<std::size_t>(at)])) found.push_back(at);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(Cadence, of_time_is_due_at_multiples_that_sums_of_many_steps_miss) {
  for (const double dt : {0.1, 0.01, 0.025}) {
    const Cadence cadence{.time = 1};
    TimeState at{.dt = dt};
    const auto n = static_cast<std::int64_t>(std::lround(1 / dt));
    while (at.time < 50) {
      TimeState next{.step = at.step + 1, .time = at.time + dt, .dt = dt, .dt_before = dt};
      EXPECT_EQ(cadence.is_due(at, next), next.step % n == 0) << next.step << " of " << dt;
      EXPECT_LE(cadence.next_stop(at, 1.5), (at.step / n + 1) * n);
      at = next;
    }
  }
}

/// 0.3 / 0.1 is less than 3 in floating point, and 3 * 0.1 more than 0.3.
TEST(Cadence, of_time_is_due_at_an_end_that_is_a_multiple_but_for_rounding) {
  struct Case {
    double every, end;
  };
  for (const auto& [every, end] :
       {Case{0.1, 0.3}, Case{0.05, 0.3}, Case{0.1, 0.6}, Case{0.1, 0.7}, Case{1e-3, 0.3}}) {
    const Cadence cadence{.time = every};
    const TimeState before{.step = 7, .time = end - 0.3 * every, .dt = 0.3 * every};
    EXPECT_EQ(cadence.next_stop(before, 1.1), 8) << every << " " << end;
    EXPECT_TRUE(cadence.is_due(before, {.step = 8, .time = end})) << every << " " << end;
    double at = end;  // ends of steps that come next, or could have come just before
    for (int i = 0; i < 4; ++i) at = std::nextafter(at, 2 * end);
    EXPECT_FALSE(cadence.is_due({.step = 8, .time = end}, {.step = 9, .time = at}));
    EXPECT_FALSE(cadence.is_due(before, {.step = 8, .time = end * (1 - 1e-14)}));
    const TimeState after{.step = 8, .time = end, .dt = 0.3 * every};
    EXPECT_GT(cadence.next_stop(after, 1.1), 9) << every << " " << end;
  }
}

TEST(Cadence, of_time_is_due_once_after_a_step_over_several_multiples) {
  const Cadence cadence{.time = 0.5};
  EXPECT_TRUE(cadence.is_due({.step = 3, .time = 0.4}, {.step = 4, .time = 1.2}));
  EXPECT_TRUE(cadence.is_due({.step = 3, .time = 0.4}, {.step = 4, .time = 9.9}));
  EXPECT_FALSE(cadence.is_due({.step = 4, .time = 1.2}, {.step = 5, .time = 1.4}));
}

TEST(Cadence, of_time_lets_many_steps_go_by_where_the_next_multiple_is_far) {
  EXPECT_GT((Cadence{.time = 100}.next_stop({.step = 0, .dt = 1e-3}, 1.1)), 50);
}

TEST(Cadence, of_time_stops_after_a_step_of_any_length_where_growth_has_no_limit) {
  const Cadence cadence{.time = 1};
  for (const double growth : {1e308, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(cadence.next_stop({.step = 3, .dt = 1}, growth), 4);
    EXPECT_EQ(cadence.next_stop({.step = 3, .dt = 1e-3}, growth), 5);
  }
}

}  // namespace
}  // namespace thalweg::app
