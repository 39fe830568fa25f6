// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>

#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// One of each kind: the default, and those that reconstruct, solve or step otherwise.
const std::vector<std::vector<std::string>> schemes_that_differ{
    {},
    {"hydro.reconstruction=ppm"},
    {"hydro.scheme=rk3", "hydro.reconstruction=ppm"},
    {"hydro.scheme=ctu", "hydro.reconstruction=ppm"},
    {"hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"}};

/// Expect a blast with a pressure ratio of a million to stay a gas and to keep what there is of it.
template <int D>
void expect_a_gas(const std::vector<std::string>& overrides) {
  run_deck<D>("blast.toml", overrides, [&](const auto& simulation) {
    const auto after = simulation.totals();
    EXPECT_NEAR(after[0], 1.0, 1e-12);
    double fastest = 0;
    for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
      ASSERT_TRUE(simulation.problem().scheme.system.admissible(u));
      fastest = std::max(fastest, std::sqrt(dot(u.mom, u.mom)) / u.rho);
    });
    EXPECT_GT(fastest, 100.0);  // the sound around the ball has 0.013
  });
}

TEST(StrongBlast, with_a_pressure_ratio_of_a_million_stays_a_gas_through_all_levels) {
  for (const auto& scheme : schemes_that_differ) {
    SCOPED_TRACE(joined_text(scheme, " "));
    std::vector<std::string> overrides{"mesh.dim=2",
                                       "mesh.lower=[0,0]",
                                       "mesh.upper=[1,1]",
                                       "mesh.root_blocks=[4,4]",
                                       "boundary.lower=[\"periodic\",\"periodic\"]",
                                       "boundary.upper=[\"periodic\",\"periodic\"]",
                                       "problem.centre=[0.45,0.5]",
                                       "problem.velocity=[1.0,0.5]",
                                       "problem.pressure_inside=1e5",
                                       "problem.pressure=0.1",
                                       "time.end=0.001"};
    overrides.insert(overrides.end(), scheme.begin(), scheme.end());
    expect_a_gas<2>(overrides);
  }
  expect_a_gas<3>({"mesh.root_blocks=[2,2,2]", "problem.pressure_inside=1e5",
                   "problem.pressure=0.1", "mesh.max_level=1", "time.end=0.0005"});
}

/// A gas torn apart at Mach 27, on two levels, with whatever a deck may name.
TEST(Rarefaction, of_mach_27_leaves_a_gas_with_every_scheme_and_solver) {
  for (const std::string scheme : {"vl2", "rk2", "rk3", "ctu"})
    for (const std::string rule : {"plm", "ppm", "ppm_classic"})
      for (const std::string solver :
           {"hllc", "lhllc", "roe", "exact", "hlle", "llf", "two_shock"}) {
        const bool is_none =
            scheme == "ctu" ? rule == "plm" || solver == "lhllc" : solver == "two_shock";
        if (is_none) continue;
        const bool is_undamped = solver == "lhllc" || (scheme == "rk2" && rule != "plm");
        SCOPED_TRACE(fmt::format("{} {} {}", scheme, rule, solver));
        run_deck<1>(
            "sod.toml",
            {"problem.name=shock_tube", "problem.left=[1.0,-20.0,0.4]",
             "problem.right=[1.0,20.0,0.4]", "mesh.root_blocks=[4]", "mesh.max_level=1",
             "time.end=0.015", is_undamped ? "time.cfl=0.4" : "time.cfl=0.5",
             "hydro.scheme=" + scheme, "hydro.reconstruction=" + rule, "hydro.riemann=" + solver},
            [&](const auto& simulation) {
              double thinnest = 1.0;
              for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
                ASSERT_TRUE(simulation.problem().scheme.system.admissible(u));
                thinnest = std::min(thinnest, u.rho);
              });
              EXPECT_LT(thinnest, 0.1);
            });
      }
}

// Between the halves the density falls by orders of magnitude from cell to cell, on level 0 most of
// all, whose cells between are means of finer ones; from Mach 20 on without end, but for the floor
// that there is unless a deck says otherwise.
TEST(Rarefaction, leaves_a_gas_on_five_levels_that_follow_it) {
  for (const int speed : {7, 10, 15, 40})
    for (const std::string solver : {"hllc", "lhllc", "exact", "hlle", "llf"})
      for (const std::string criteria : {"\"density\", \"pressure\"", "\"velocity\""}) {
        SCOPED_TRACE(fmt::format("speed {}, {}, tags by {}", speed, solver, criteria));
        run_deck<1>("sod.toml",
                    {"problem.name=shock_tube", fmt::format("problem.left=[1.0,-{},0.4]", speed),
                     fmt::format("problem.right=[1.0,{},0.4]", speed), "mesh.max_level=4",
                     fmt::format("time.end={}", 0.2 / speed), "hydro.riemann=" + solver,
                     "regrid.criteria=[" + criteria + "]"},
                    [](const auto& simulation) {
                      for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
                        ASSERT_TRUE(simulation.problem().scheme.system.admissible(u));
                      });
                    });
      }
}

// The longer it takes, the thinner: on 2048 cells of one level, 1001 steps to 1e-155 but for the
// floor.
TEST(Rarefaction, leaves_a_gas_on_many_cells) {
  for (const std::string solver : {"hllc", "lhllc", "hlle", "llf"})
    run_deck<1>(
        "sod.toml",
        {"problem.name=shock_tube", "problem.left=[1.0,-20,0.4]", "problem.right=[1.0,20,0.4]",
         "mesh.max_level=0", "mesh.root_blocks=[128]", "time.end=0.01", "hydro.riemann=" + solver},
        [&](const auto& simulation) {
          for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
            const auto& system = simulation.problem().scheme.system;
            ASSERT_TRUE(system.admissible(u));
            ASSERT_LT(u.rho, 1 + 1e-6) << solver;
            ASSERT_LT(system.pressure(u), 0.4 * (1 + 1e-6)) << solver;
          });
        });
}

// Steps may be longer than those for which the limiter of fluxes has a proof, by far in three
// dimensions: what it takes then must not hold the gas back and drive a shock into what flies
// ahead.
TEST(Rarefaction, drives_no_shock_at_any_courant_number) {
  const auto expect_no_shock = [](const auto& simulation) {
    for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
      ASSERT_LT(u.rho, 1 + 1e-6);
      ASSERT_LT(simulation.problem().scheme.system.pressure(u), 0.4 * (1 + 1e-6));
    });
  };
  const std::vector<std::string> torn{"problem.name=shock_tube", "problem.left=[1.0,-20,0.4]",
                                      "problem.right=[1.0,20,0.4]", "regrid.threshold=0.1",
                                      "time.end=0.01"};
  const std::vector<std::string> schemes{"vl2 plm hllc", "vl2 plm hlle",
                                         "vl2 plm roe",  "rk3 ppm llf",
                                         "ctu ppm hllc", "ctu ppm_classic two_shock"};
  for (const std::string& words : schemes)
    for (const int max_level : {0, 2}) {
      SCOPED_TRACE(fmt::format("{}, levels to {}", words, max_level));
      std::istringstream names(words);
      std::string scheme, rule, solver;
      names >> scheme >> rule >> solver;
      auto overrides = torn;
      overrides.insert(overrides.end(),
                       {"hydro.scheme=" + scheme, "hydro.reconstruction=" + rule,
                        "hydro.riemann=" + solver, fmt::format("mesh.max_level={}", max_level)});
      auto line = overrides;
      line.insert(line.end(), {"time.cfl=0.8", "mesh.root_blocks=[16]"});
      run_deck<1>("sod.toml", line, expect_no_shock);
      if (scheme != "vl2" || max_level > 0) continue;
      overrides.insert(overrides.end(),
                       {"mesh.dim=2", "time.cfl=0.3", "mesh.lower=[-0.5,0]",
                        "mesh.upper=[0.5,0.0625]", "mesh.root_blocks=[16,1]",
                        "boundary.lower=[outflow,periodic]", "boundary.upper=[outflow,periodic]"});
      run_deck<2>("sod.toml", overrides, expect_no_shock);
    }
}

/// The states of all leaf cells of an explosion, by place within its box.
using States = std::map<std::vector<double>, std::vector<double>>;

States explode(const std::vector<std::string>& overrides, const Vec<3>& box_of_interest) {
  States states;
  auto all = overrides;
  all.insert(all.end(), {"mesh.block_cells=8", "mesh.max_level=1", "problem.radius=0.2",
                         "time.max_steps=2", "regrid.interval=1"});
  run_deck<3>("explosion.toml", all, [&](const auto& simulation) {
    for_each_leaf(simulation, [&](const Vec<3>& x, double, const auto& u) {
      std::vector<double> place;
      for (int a = 0; a < 3; ++a) {
        if (std::floor(x[a]) != box_of_interest[a]) return;
        place.push_back(x[a] - box_of_interest[a]);
      }
      states[place] = {u.rho, u.mom[0], u.mom[1], u.mom[2], u.energy};
    });
  });
  return states;
}

TEST(Explosion, has_as_many_fine_cells_as_the_published_benchmark) {
  const auto done = simulate<3>(shipped_deck("explosion.toml", {}), {}, [](const auto& simulation) {
    ASSERT_EQ(simulation.mesh().n_levels(), 3);
    const auto n_finest = static_cast<double>(simulation.mesh().forest.level(2).n_global);
    const double covered = n_finest / (16.0 * 16.0 * 16.0);
    fmt::print("finest blocks cover {:.2f} % of the domain\n", 100 * covered);
    // Whole blocks around a centred ball come by 24 and more: 232, then 280 of 4096.
    EXPECT_NEAR(covered, 0.063, 0.1 * 0.063);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Explosion, replicated_is_the_same_in_each_box_to_the_bit) {
  const States alone = explode({}, {});
  EXPECT_GT(alone.size(), 512u);
  const std::vector<std::string> twice{"problem.replication=[2,1,1]", "mesh.upper=[2,1,1]",
                                       "mesh.root_blocks=[2,1,1]"};
  EXPECT_EQ(explode(twice, {}), alone);
  EXPECT_EQ(explode(twice, {{1.0, 0.0, 0.0}}), alone);
}

}  // namespace
}  // namespace thalweg::testing
