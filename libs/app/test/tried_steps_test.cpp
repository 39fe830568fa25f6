// SPDX-License-Identifier: MIT
#include <thalweg/app/tried_steps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "carried.hpp"
#include "made.hpp"

namespace thalweg::app {
namespace {

/// All time states of a run to t = 1 whose steps are 0.001 (t + 0.0001)^power long; or of a
/// coarser one, the end included.
std::vector<step::TimeState> time_states_of(double power, double first = 0.001) {
  std::vector<step::TimeState> time_states;
  step::TimeState now;
  for (; now.time < 1; now = advanced(now, {.end = 1})) {
    now.dt = first * std::pow(now.time + 1e-4, power);
    time_states.push_back(now);
  }
  if (first > 0.001) time_states.push_back(now);
  return time_states;
}

/// How many there would be by the first steps, over how many there are.
double ratio(const std::vector<step::TimeState>& all, std::size_t n_tried) {
  const std::vector first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_tried) + 1);
  return (static_cast<double>(n_tried) + steps_left(first, 1)) / static_cast<double>(all.size());
}

TEST(StepsLeft, of_a_dt_that_stays_are_those_there_are) {
  const auto all = time_states_of(0);
  ASSERT_EQ(all.size(), 1000u);
  for (const std::size_t n : {0, 1, 3, 16, 100, 999}) EXPECT_NEAR(ratio(all, n), 1, 1e-6) << n;
}

TEST(StepsLeft, of_a_blast_that_slows_down_are_those_there_are) {
  for (const double power : {0.095, 1.0 / 7, 0.24}) {  // of gamma = 1.4 in 1-D and 2-D; the highest
    const auto all = time_states_of(power);
    EXPECT_NEAR(ratio(all, all.size() / 2), 1, 0.0012) << power;
    EXPECT_NEAR(ratio(all, all.size() / 20), 1, 0.006) << power;
    // With the last dt there would be more.
    const auto& now = all[all.size() / 20];
    EXPECT_GT((1 - now.time) / now.dt, (1 + power) * static_cast<double>(all.size())) << power;
  }
}

TEST(StepsLeft, of_a_blast_are_those_there_are_although_only_its_front_was_seen) {
  // dt grows with the front up to t = 0.05, and then with the gas in the middle.
  std::vector<step::TimeState> all;
  for (step::TimeState now; now.time < 1; now = advanced(now, {.end = 1})) {
    const double t = now.time + 1e-4;
    now.dt = 0.001 * std::pow(std::min(t, 0.05), 0.6) * std::pow(std::max(t, 0.05), 6.0 / 35);
    all.push_back(now);
  }
  const auto front = std::ranges::count_if(all, [](const auto& m) { return m.time < 0.05; });
  EXPECT_NEAR(ratio(all, static_cast<std::size_t>(front)), 1, 0.15);
}

TEST(StepsLeft, of_a_dt_that_falls_or_of_few_states_are_those_of_the_last) {
  const auto falling = time_states_of(-0.5);
  const auto last_of = [](const std::vector<step::TimeState>& all, std::size_t n) {
    return static_cast<double>(n) + std::ceil((1 - all[n].time) / all[n].dt);
  };
  const auto n = static_cast<double>(falling.size());
  EXPECT_DOUBLE_EQ(ratio(falling, 200) * n, last_of(falling, 200));
  const auto rising = time_states_of(0.24);
  const auto m = static_cast<double>(rising.size());
  EXPECT_DOUBLE_EQ(ratio(rising, 15) * m, last_of(rising, 15));
  EXPECT_LT(ratio(rising, 16) * m, 0.8 * last_of(rising, 16));
}

TEST(StepsLeft, of_a_dt_that_goes_as_a_coarser_run_s_are_those_there_are) {
  for (const double power : {-0.2, 0.0, 0.6}) {
    const auto all = time_states_of(power);
    auto coarser = time_states_of(power, 0.004);
    for (const std::size_t n : {0, 1, 5, 200}) {
      const std::vector first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n) + 1);
      const double counted = static_cast<double>(n) + steps_left(first, coarser);
      EXPECT_NEAR(counted / static_cast<double>(all.size()), 1, 0.009) << power << " " << n;
    }
  }
}

TEST(StepsLeft, of_a_run_that_goes_on_are_those_that_are_left) {
  constexpr std::ptrdiff_t begin = 300;
  for (const double power : {-0.2, 0.0, 0.6}) {
    const auto all = time_states_of(power);
    ASSERT_GT(std::ssize(all), begin + 60);
    for (const std::ptrdiff_t n : {0, 1, 5, 50}) {
      const std::vector first(all.begin() + begin, all.begin() + begin + n + 1);
      const double counted =
          static_cast<double>(begin + n) + steps_left(first, time_states_of(power, 0.004));
      EXPECT_NEAR(counted / static_cast<double>(all.size()), 1, 0.0145) << power << " " << n;
    }
  }
}

/// The tried steps of a spot on two ranks, and the zone updates that its steps report.
std::pair<TriedSteps, double> tried(std::int64_t max_steps) {
  auto settings = testing::settings();
  settings.time.max_steps = max_steps;
  std::pair<TriedSteps, double> result;
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    double updates = 0;
    const auto simulation =
        testing::made(context, testing::carried_spot(), settings,
                      [&](const StepStatistics& s) { updates += double(s.zone_updates); });
    const auto steps = try_steps(*simulation);
    ASSERT_TRUE(steps) << steps.error().message;
    if (context.transport.rank() == Rank{0}) result = {*steps, updates};
  });
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

TEST(TrySteps, makes_all_of_a_short_run_and_counts_their_updates) {
  const auto [steps, updates] = tried(9);
  ASSERT_EQ(steps.time_states.size(), 10u);
  EXPECT_EQ(steps.time_states.back().step, 9);
  EXPECT_EQ(steps.updates, updates);
  EXPECT_GT(steps.updates_per_step, 0);
}

TEST(TrySteps, ends_in_a_long_run) {
  const auto [steps, updates] = tried(3000);
  EXPECT_LT(steps.time_states.size(), 2002u);
  EXPECT_GT(steps.time_states.size(), 100u);
  EXPECT_LE(steps.updates, 1e7);
  EXPECT_EQ(steps.updates, updates);
}

}  // namespace
}  // namespace thalweg::app
