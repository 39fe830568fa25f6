// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/shallow_water/problems.hpp>
#include <thalweg/shallow_water/shallow_water.hpp>

#include "../support/leaves.hpp"
#include "applications.hpp"

namespace thalweg::testing::shallow_water_runs {
namespace {

using shallow_water::State;
using Scheme = numerics::RungeKutta<shallow_water::ShallowWater, numerics::PlmVanLeer>;

/// The largest momentum, and how far a surface is from 0 where there is water.
struct Motion {
  double momentum = 0, surface = 0;
  int n_levels = 0;
};

Motion rest(const std::vector<std::string>& overrides) {
  Motion motion;
  run_application<Scheme>(
      application_deck("shallow_water/decks/lake_at_rest.toml", overrides), {},
      [&](const auto& simulation, const auto&) {
        motion.n_levels = simulation.mesh().n_levels();
        for_each_leaf(simulation, [&](const auto&, double, const State& u) {
          motion.momentum = std::max({motion.momentum, std::abs(u.mom[0]), std::abs(u.mom[1])});
          if (u.depth() > 0) motion.surface = std::max(motion.surface, std::abs(u.surface));
        });
      });
  return motion;
}

TEST(ShallowWater, a_lake_around_an_island_stays_at_rest_on_three_levels) {
  const Motion motion = rest({"time.end=0.3"});
  EXPECT_EQ(motion.n_levels, 3);
  EXPECT_LT(motion.momentum, 1e-13);
  EXPECT_LT(motion.surface, 1e-13);
}

TEST(ShallowWater, runs_onto_a_dry_bed_twice_as_fast_as_waves) {
  const shallow_water::ShallowWater water;
  const double c = std::sqrt(water.g);
  const State dry{1, {}, 1};
  const auto to_the_right = water.riemann_speeds({2, {{0.5, 0}}, 1}, dry, 0);
  EXPECT_DOUBLE_EQ(to_the_right.lo, 0.5 - c);
  EXPECT_DOUBLE_EQ(to_the_right.hi, 0.5 + 2 * c);
  const auto to_the_left = water.riemann_speeds(dry, {2, {{-0.5, 0}}, 1}, 0);
  EXPECT_DOUBLE_EQ(to_the_left.lo, -0.5 - 2 * c);
  EXPECT_DOUBLE_EQ(to_the_left.hi, c - 0.5);
}

/// Stoker's solution of a dam break on a wet bed: depth at x / t.
/// @source Stoker (1957), "Water Waves", sec. 10.8
double stoker(double left, double right, double g, double s) {
  const double c_l = std::sqrt(g * left);
  // The depth behind the bore: what a rarefaction from the left and a bore into the right both
  // give the same velocity to.
  const auto surplus = [&](double h) {
    return 2 * (c_l - std::sqrt(g * h)) - (h - right) * std::sqrt(0.5 * g * (1 / h + 1 / right));
  };
  double low = right, high = left;
  for (int n = 0; n < 100; ++n) (surplus(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  const double h = 0.5 * (low + high), v = 2 * (c_l - std::sqrt(g * h));
  if (s < -c_l) return left;
  if (s < v - std::sqrt(g * h)) return (2 * c_l - s) * (2 * c_l - s) / (9 * g);
  return s < v * h / (h - right) ? h : right;
}

double dam_break_error(int max_level) {
  double error = 0;
  run_application<Scheme>(
      application_deck("shallow_water/decks/dam_break.toml",
                       {"mesh.max_level=" + std::to_string(max_level)}),
      {}, [&](const auto& simulation, const auto&) {
        const double t = simulation.time_state().time;
        for_each_leaf(simulation, [&](const auto& x, double volume, const State& u) {
          error += volume / 0.5 * std::abs(u.depth() - stoker(1.0, 0.1, 9.81, x[0] / t));
        });
      });
  return error;
}

TEST(ShallowWater, a_dam_break_comes_to_stokers_solution) {
  const double coarse = dam_break_error(0), fine = dam_break_error(2);
  EXPECT_LT(coarse, 0.01);
  EXPECT_LT(fine, 0.35 * coarse);  // first order at the bore: a quarter
}

double thacker_error(int root_blocks, double periods) {
  const shallow_water::Thacker exact{9.81, 0.3};
  const double end = periods * 2 * M_PI / std::sqrt(0.2 * 9.81);
  double error = 0, volume_of_water = 0;
  run_application<Scheme>(
      application_deck("shallow_water/decks/thacker.toml",
                       {"mesh.root_blocks=[" + std::to_string(root_blocks) + ", " +
                            std::to_string(root_blocks) + "]",
                        "mesh.max_level=1", "time.end=" + std::to_string(end)}),
      {}, [&](const auto& simulation, const auto&) {
        for_each_leaf(simulation, [&](const auto& x, double volume, const State& u) {
          const auto there = exact({x, {}, 0, simulation.time_state().time});
          error += volume * std::abs(u.depth() - there.depth());
          volume_of_water += volume * there.depth();
        });
      });
  return error / volume_of_water;
}

TEST(ShallowWater, turns_in_thackers_bowl) {
  const double coarse = thacker_error(2, 0.25), fine = thacker_error(4, 0.25);
  EXPECT_LT(fine, 0.05);
  EXPECT_LT(fine, 0.6 * coarse);
}

}  // namespace
}  // namespace thalweg::testing::shallow_water_runs
