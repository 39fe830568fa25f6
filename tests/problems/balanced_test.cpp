// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

const std::vector<std::string> schemes{"vl2", "ctu", "rk2", "rk3"};

/// The deck of a Rayleigh-Taylor wave without the wave: heavy gas on light gas, at rest, on three
/// levels.
std::vector<std::string> at_rest(const std::string& scheme, const std::string& more) {
  return {"problem.amplitude=1e-30", "mesh.block_cells=8",       "time.end=0.5",
          "hydro.scheme=" + scheme,  "hydro.reconstruction=ppm", more};
}

/// What is left of a gas at rest after a while.
struct Rest {
  double fastest = 0;  ///< speed; sound has one of 0.6 to 0.9
  int n_levels = 0;
  std::uint64_t bits = 0;
};

Rest rest(const std::string& scheme, const std::string& more = "time.subcycle=true",
          const SimulatedRun& run = {}) {
  Rest found;
  run_deck<2>(
      "rayleigh_taylor.toml", at_rest(scheme, more),
      [&](const auto& simulation) {
        found.n_levels = simulation.mesh().n_levels();
        found.bits = checksum(simulation);
        for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
          found.fastest = std::max(found.fastest, std::sqrt(dot(u.mom, u.mom)) / u.rho);
        });
      },
      run);
  return found;
}

TEST(Balanced, layers_at_rest_stay_at_rest_to_rounding_on_three_levels) {
  for (const std::string& scheme : schemes)
    for (const std::string more : {"time.subcycle=true", "time.subcycle=false"}) {
      const Rest found = rest(scheme, more);
      EXPECT_EQ(found.n_levels, 3);
      EXPECT_LT(found.fastest, 1e-12) << scheme << ", " << more;
    }
}

TEST(Balanced, layers_at_rest_do_not_stay_so_where_gravity_is_a_source) {
  EXPECT_GT(rest("vl2", "hydro.balanced=false").fastest, 1e-6);
}

TEST(Balanced, has_the_same_bits_on_any_ranks_in_any_model_and_order) {
  for (const std::string scheme : {"vl2", "rk3"}) {
    const auto bits_of = [&](const SimulatedRun& run) {
      return rest(scheme, "time.max_steps=12", run).bits;
    };
    const auto alone = bits_of({});
    EXPECT_EQ(bits_of({.n_ranks = 2, .seed = 1}), alone);
    EXPECT_EQ(bits_of({.n_ranks = 3, .seed = 2, .model = flow::Model::phase}), alone);
    EXPECT_EQ(bits_of({.n_ranks = 3, .seed = 3, .model = flow::Model::bulk}), alone);
  }
}

/// By what share the mass in a closed box changes in which gas falls to the walls, on levels that
/// follow the waves.
template <int D>
double lost_share(const std::string& scheme, int max_level) {
  const auto words =
      shipped_deck("inflow.toml",
                   {fmt::format("mesh.dim={}", D), "mesh.lower=" + repeated(D, "0.0"),
                    "mesh.upper=" + repeated(D, "1.0"), "mesh.root_blocks=" + repeated(D, "2"),
                    "mesh.block_cells=8", fmt::format("mesh.max_level={}", max_level),
                    "boundary.inflow_lower_x=[]", "boundary.lower=" + repeated(D, "\"reflecting\""),
                    "boundary.upper=" + repeated(D, "\"reflecting\""), "hydro.balanced=true",
                    "source.gravity=" + repeated(D, "-1.5"), "hydro.scheme=" + scheme,
                    "hydro.reconstruction=ppm", "time.end=0.6"});
  double share = 1;
  const auto done = simulate<D>(words, {}, [&](auto& simulation) {
    const auto mass = [&] {
      double sum = 0;
      for_each_leaf(simulation,
                    [&](const auto&, double volume, const auto& u) { sum += volume * u.rho; });
      return sum;
    };
    const double before = mass();
    const auto advanced = simulation.advance_to(1'000'000);
    ASSERT_TRUE(advanced) << advanced.error().message;
    EXPECT_EQ(simulation.mesh().n_levels(), max_level + 1);
    share = std::abs(mass() / before - 1);
  });
  EXPECT_TRUE(done) << done.error().message;
  return share;
}

TEST(Balanced, walls_keep_the_mass_of_gas_that_falls_on_them) {
  for (const std::string& scheme : schemes)
    for (const int max_level : {0, 1}) {
      SCOPED_TRACE(fmt::format("{}, {} levels", scheme, max_level + 1));
      EXPECT_LT(lost_share<1>(scheme, max_level), 1e-14);
      EXPECT_LT(lost_share<2>(scheme, max_level), 1e-14);
    }
}

/// What is wrong with a deck in which gravity is balanced.
std::string refused(const std::string& name, const std::vector<std::string>& overrides) {
  auto all = overrides;
  all.push_back("hydro.balanced=true");
  try {
    (void)hydro::set_up<2>(shipped_deck(name, all));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::string& name, const std::vector<std::string>& overrides,
                    const std::string& why) {
  const std::string message = refused(name, overrides);
  EXPECT_NE(message.find(why), std::string::npos) << message;
}

TEST(Balanced, is_refused_where_states_are_held_or_another_source_acts) {
  expect_refused("breathing.toml", {}, "'breathing' has a source of its own");
  expect_refused("double_mach.toml", {}, "'double_mach' has states outside that are held");
  expect_refused(
      "rayleigh_taylor.toml",
      {"boundary.lower=['periodic','inflow']", "boundary.inflow_lower_y=[1.0,0.0,0.0,1.0]"},
      "boundary.lower has \"inflow\"");
  expect_refused(
      "rayleigh_taylor.toml",
      {"boundary.upper=['periodic','inflow']", "boundary.inflow_upper_y=[1.0,0.0,0.0,1.0]"},
      "boundary.upper has \"inflow\"");
}

TEST(Balanced, is_refused_with_solvers_that_mix_gas_at_rest) {
  for (const std::string solver : {"hlle", "llf"})
    expect_refused("rayleigh_taylor.toml", {"hydro.riemann=" + solver},
                   "hydro.riemann = '" + solver + "'");
  EXPECT_EQ(refused("rayleigh_taylor.toml", {"hydro.riemann=roe"}), "");
}

TEST(Balanced, without_gravity_has_no_effect_and_says_so) {
  const auto warnings = [](const std::string& deck, const std::string& balanced) {
    return hydro::set_up<2>(shipped_deck(deck, {"hydro.balanced=" + balanced})).warnings;
  };
  EXPECT_EQ(warnings("sedov_2d.toml", "true"),
            std::vector<std::string>{"hydro.balanced = true has no effect: source.gravity is 0"});
  EXPECT_TRUE(warnings("sedov_2d.toml", "false").empty());
  EXPECT_TRUE(warnings("rayleigh_taylor.toml", "true").empty());
}

}  // namespace
}  // namespace thalweg::testing
