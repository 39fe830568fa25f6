// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/shallow_water/problems.hpp>
#include <thalweg/shallow_water/shallow_water.hpp>

#include "../support/leaves.hpp"
#include "../support/text.hpp"
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

TEST(ShallowWater, is_inadmissible_below_its_bed_and_where_it_is_no_number) {
  const shallow_water::ShallowWater water;
  const double none = std::nan("");
  EXPECT_TRUE(water.admissible({2, {{-3, 4}}, 1}));
  EXPECT_TRUE(water.admissible({1, {}, 1}));
  for (const State& u : {State{1, {}, 1.1}, State{none, {}, 1}, State{2, {{none, 0}}, 1},
                         State{2, {{0, none}}, 1}, State{2, {}, none}})
    EXPECT_FALSE(water.admissible(u));
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

/// How many steps Thacker's water takes on two levels, and its speed at the end.
struct Turn {
  std::int64_t n_steps = 0;
  double speed = 0;
};

Turn most_of_a_turn(std::vector<std::string> overrides) {
  overrides.emplace_back("mesh.max_level=1");
  const shallow_water::ShallowWater water;
  Turn turn;
  run_application<Scheme>(application_deck("shallow_water/decks/thacker.toml", overrides), {},
                          [&](const auto& simulation, const auto&) {
                            turn.n_steps = simulation.time_state().step;
                            for_each_leaf(simulation, [&](const auto&, double, const State& u) {
                              const auto v = water.to_primitive(u).mom;
                              turn.speed = std::max(turn.speed, std::sqrt(dot(v, v)));
                            });
                          });
  return turn;
}

TEST(ShallowWater, does_not_run_away_over_the_edge_of_a_level_nor_in_new_cells) {
  for (const Turn& turn :
       {most_of_a_turn({"problem.displacement=0.55", "time.end=3"}),
        most_of_a_turn({"problem.displacement=0.5", "time.end=3.5", "regrid.interval=0"})}) {
    EXPECT_LT(turn.speed, 5);  // of the exact water 0.8
    EXPECT_LT(turn.n_steps, 400);
  }
}

TEST(ShallowWater, in_a_new_cell_that_is_shallower_is_no_faster) {
  const shallow_water::ShallowWater water;
  const auto speed = [&](const State& u) { return water.to_primitive(u).mom[0]; };
  const State coarse{1, {{0.5, 0}}, 0.9};
  for (const double bed : {0.95, 0.999, 0.9999, 1 - 1e-9})
    EXPECT_LE(speed(water.over(bed, coarse)), speed(coarse) * (1 + 1e-12)) << bed;
  EXPECT_EQ(water.over(0.95, coarse).surface, 1);
  EXPECT_EQ(water.over(0.8, coarse).mom[0], 0.5);
  const State film{1, {{1e-9, 0}}, 1 - 1e-6};
  for (const State& dry : {water.over(1.5, coarse), water.over(0.5, film)}) {
    EXPECT_EQ(dry.depth(), 0);
    EXPECT_EQ(dry.mom[0], 0);
  }
}

TEST(ShallowWater, keeps_its_velocity_where_a_finer_level_corrects_its_depth) {
  const shallow_water::ShallowWater water;
  const State before{2, {{0.5, -1}}, 1};
  const auto shallower = water.after_reflux(before, {1.001, before.mom, 1});
  EXPECT_EQ(shallower.surface, 1.001);
  EXPECT_DOUBLE_EQ(shallower.mom[0], (1.001 - 1) * 0.5);
  EXPECT_DOUBLE_EQ(shallower.mom[1], -(1.001 - 1));
}

TEST(ShallowWater, refuses_water_that_leaves_the_domain) {
  const auto complaint = [](const std::string& setting) {
    const auto deck = application_deck("shallow_water/decks/thacker.toml", {setting});
    return error_of([&] { shallow_water::application().set_up(deck); });
  };
  EXPECT_EQ(complaint("problem.displacement=-0.6"), "");
  expect_parts(complaint("problem.displacement=3"),
               {"problem.displacement = 3", "as far as 4", "give sides at -4 and 4"});
  for (const char* near : {"mesh.lower=[-1.6, -1.2]", "mesh.lower=[-1.2, -1.6]",
                           "mesh.upper=[1.6, 1.2]", "mesh.upper=[1.2, 1.6]"})
    expect_parts(complaint(near), {"as far as 1.3"});
}

TEST(ShallowWater, has_the_dam_inside_the_domain) {
  const auto complaint = [](const std::vector<std::string>& given) {
    const auto deck =
        app::load_deck(all_applications(),
                       "application.name = \"shallow_water\"\nproblem.name = \"dam_break\"\n"
                       "[mesh]\nroot_blocks = [2, 2]\n",
                       "dam.toml", given);
    return error_of([&] { shallow_water::application().set_up(deck); });
  };
  EXPECT_EQ(complaint({}), "");
  expect_parts(complaint({"mesh.lower=[0, 0]"}), {"are 0 and 0.5 along x", "the dam is at x = 0"});
  expect_parts(complaint({"mesh.upper=[0, 1]"}), {"are -0.5 and 0 along x"});
}

TEST(ShallowWater, says_what_an_inflow_needs) {
  const auto deck = application_deck("shallow_water/decks/dam_break.toml",
                                     {"boundary.lower=['inflow', 'outflow']"});
  expect_parts(error_of([&] { shallow_water::application().set_up(deck); }),
               {"the height of the surface, two velocities and the height of the bed", "give 4"});
}

}  // namespace
}  // namespace thalweg::testing::shallow_water_runs
