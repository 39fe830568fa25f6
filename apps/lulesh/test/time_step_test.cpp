// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/time_step.hpp>

#include <gtest/gtest.h>

namespace thalweg::lulesh {
namespace {

/// The step of the cycle after one of 1e-5.
double step_after(const Constraints& bounds, double time = 1e-3) {
  CycleClock clock{.time = time, .dt = 1e-5, .cycle = 4};
  begin_cycle(clock, {.bounds = bounds});
  EXPECT_EQ(clock.cycle, 5);
  EXPECT_EQ(clock.time, time + clock.dt);
  return clock.dt;
}

TEST(LuleshTimeStep, is_the_first_one_in_the_first_cycle) {
  CycleClock clock{.dt = 3e-6};
  begin_cycle(clock, {.bounds = {.courant = 1e-9, .hydro = 1e-9}});
  EXPECT_EQ(clock.dt, 3e-6);
  EXPECT_EQ(clock.time, 3e-6);
  EXPECT_EQ(clock.cycle, 1);
}

TEST(LuleshTimeStep, falls_at_once) {
  EXPECT_EQ(step_after({.courant = 1e-6}), 5e-7);
  EXPECT_EQ(step_after({.hydro = 3e-6}), 3e-6 * 2.0 / 3.0);
}

TEST(LuleshTimeStep, grows_by_a_tenth_to_a_fifth_or_not) {
  EXPECT_EQ(step_after({.courant = 2.1e-5}), 1e-5);
  EXPECT_EQ(step_after({.courant = 2.3e-5}), 1.15e-5);
  EXPECT_EQ(step_after({.courant = 1}), 1e-5 * 1.2);
  EXPECT_EQ(step_after({}), 1e-5 * 1.2);
}

TEST(LuleshTimeStep, compares_the_second_bound_with_half_of_the_first) {
  // 2/3 of it would be less than half of the first, and is not taken.
  EXPECT_EQ(step_after({.courant = 1e-6, .hydro = 6e-7}), 5e-7);
  EXPECT_EQ(step_after({.courant = 1e-6, .hydro = 4e-7}), 4e-7 * 2.0 / 3.0);
}

TEST(LuleshTimeStep, of_several_ranks_is_that_of_the_least_bounds) {
  // Each rank's own step first, and the least of those, would be 4e-7: another than on one rank.
  const Verdict all = combine({.bounds = {.courant = 1e-6, .hydro = 1e-5}},
                              {.bounds = {.courant = 1e-5, .hydro = 6e-7}});
  EXPECT_EQ(all.bounds.courant, 1e-6);
  EXPECT_EQ(all.bounds.hydro, 6e-7);
  EXPECT_EQ(step_after(all.bounds), 5e-7);
}

TEST(LuleshTimeStep, comes_to_the_end_without_a_very_small_one) {
  EXPECT_EQ(step_after({.courant = 2e-5}, 1e-2 - 4e-6), 1e-2 - (1e-2 - 4e-6));
  EXPECT_NEAR(step_after({.courant = 2e-5}, 1e-2 - 1.2e-5), 2e-5 / 3, 1e-20);
  EXPECT_EQ(step_after({.courant = 2e-5}, 1e-2 - 1.5e-5), 1e-5);
}

TEST(LuleshTimeStep, stands_still_after_a_fault) {
  const CycleClock before{.time = 1e-3, .dt = 1e-5, .cycle = 4};
  CycleClock clock = before;
  const Fault fault{Check::viscosity, 17};
  EXPECT_FALSE(clock.is_at_end(5));
  begin_cycle(clock, combine({.fault = {Check::viscosity, 18}}, {.fault = fault}));
  EXPECT_EQ(clock.fault, fault);
  EXPECT_EQ(clock.time, before.time);
  EXPECT_EQ(clock.cycle, before.cycle);
  EXPECT_TRUE(clock.is_at_end(5));
}

TEST(LuleshTimeStep, is_the_last_at_the_end_of_time_or_of_cycles) {
  EXPECT_TRUE((CycleClock{.time = 1e-2}.is_at_end(100)));
  EXPECT_TRUE((CycleClock{.cycle = 7}.is_at_end(7)));
  EXPECT_FALSE((CycleClock{.cycle = 6}.is_at_end(7)));
}

TEST(LuleshTimeStep, begins_with_the_energy_of_the_reference) {
  EXPECT_EQ(initial_energy(45), 3.948746e+7);
  EXPECT_NEAR(initial_energy(90), 8 * 3.948746e+7, 1e-6);
}

}  // namespace
}  // namespace thalweg::lulesh
