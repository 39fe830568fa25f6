// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>

#include "../support/errors.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

TEST(ShockTube, of_two_streams_has_the_exact_density_but_at_the_jumps) {
  // Toro's test 4, along y on two levels; the deck names what the tube must be.
  const hydro::ShockTube<2> tube{.axis = 1,
                                 .interface = 0.4,
                                 .left = {5.99924, {{19.5975}}, 460.894},
                                 .right = {5.99242, {{-6.19633}}, 46.0950}};
  run_deck<2>("shock_tube.toml", {}, [&](const auto& simulation) {
    const auto e = errors(simulation, [&](const auto& cell) { return tube.exact(cell); });
    fmt::print("two streams: mean density error {:.3f}\n", e.l1[0]);
    EXPECT_LT(e.l1[0], 0.25);  // of 5.99 to 31.04
    double densest = 0;
    for_each_leaf(simulation,
                  [&](const auto&, double, const auto& u) { densest = std::max(densest, u.rho); });
    EXPECT_NEAR(densest, 31.04, 0.02 * 31.04);
  });
}

/// The mean error of the density of water in a tube, over its greatest change.
double water_error(const std::vector<std::string>& overrides) {
  const hydro::ShockTube<1, hydro::StiffenedGas> tube{.gas = {{.gamma = 4.4, .p_infinity = 6e8}},
                                                      .interface = 0.4,
                                                      .left = {1000.0, {{0.0}}, 1e9},
                                                      .right = {1000.0, {{0.0}}, 1e5}};
  double error = 0;
  run_deck<1>("water_tube.toml", overrides, [&](const auto& simulation) {
    const auto e = errors(simulation, [&](const auto& cell) { return tube.exact(cell); });
    error = e.l1[0] / 100.0;
  });
  return error;
}

TEST(WaterTube, converges_to_the_exact_solution_with_every_scheme) {
  for (const std::string scheme : {"hydro.scheme=vl2", "hydro.scheme=rk3", "hydro.scheme=ctu"}) {
    const std::vector<std::string> coarse{
        scheme, scheme == "hydro.scheme=ctu" ? "hydro.riemann=two_shock" : "hydro.riemann=hllc"};
    auto fine = coarse;
    fine.push_back("mesh.root_blocks=[16]");
    const double error = water_error(coarse), finer = water_error(fine);
    fmt::print("water, {}: {:.5f}, {:.5f}\n", scheme, error, finer);
    EXPECT_LT(error, 0.02);
    EXPECT_GT(error / finer, 1.8);
  }
}

TEST(Inflow, drives_the_shock_that_the_exact_solution_has) {
  const double gamma = 1.4;
  // Far in front of the faster edge of the inflow's own gas the tube is a Riemann problem at x = 0.
  const hydro::ShockTube<1> tube{
      .gas = {gamma}, .left = {1.0, {{3.5496478698597698}}, 1.0}, .right = {1.0, {{0.0}}, 1.0}};
  run_deck<1>("inflow.toml", {"time.end=0.15"}, [&](const auto& simulation) {
    const auto e = errors(simulation, [&](const auto& cell) { return tube.exact(cell); });
    fmt::print("inflow: errors {:.4f} {:.4f} {:.4f}\n", e.l1[0], e.l1[1], e.l1[2]);
    EXPECT_LT(e.l1[0], 0.010);
    EXPECT_LT(e.l1[1], 0.025);
    EXPECT_LT(e.l1[2], 0.060);
  });
}

TEST(WoodwardColella, has_the_published_peaks) {
  for (const int max_level : {3, 0}) {
    const std::string blocks = max_level == 0 ? "mesh.root_blocks=[48]" : "mesh.root_blocks=[6]";
    run_deck<1>("woodward_colella.toml", {fmt::format("mesh.max_level={}", max_level), blocks},
                [&](const auto& simulation) {
                  double densest = 0, at = 0, mass = 0;
                  for_each_leaf(simulation, [&](const Vec<1>& x, double volume, const auto& u) {
                    mass += volume * u.rho;
                    if (u.rho <= densest) return;
                    densest = u.rho;
                    at = x[0];
                  });
                  fmt::print("blast waves, {} levels: density {:.3f} at x = {:.4f}\n",
                             max_level + 1, densest, at);
                  EXPECT_NEAR(mass, 1.0, 1e-13);
                  // As problems.md has it; both runs have cells of 1/768 there.
                  EXPECT_NEAR(densest, max_level == 3 ? 6.008 : 6.070, 0.005);
                  EXPECT_NEAR(at, 0.78, 0.001);
                });
  }
}

/// The mean density between two fractions of the shock's radius in Noh's problem.
template <int D>
double noh_plateau(int n_blocks, int max_level, const std::string& scheme = "vl2",
                   const std::string& rule = "plm", const std::string& riemann = "hllc") {
  const auto repeated = [](const std::string& s) {
    return "[" + (D == 1 ? s : D == 2 ? s + "," + s : s + "," + s + "," + s) + "]";
  };
  double mean = 0;
  run_deck<D>(
      "noh.toml",
      {fmt::format("mesh.dim={}", D), "mesh.root_blocks=" + repeated(std::to_string(n_blocks)),
       "mesh.lower=" + repeated("0"), "mesh.upper=" + repeated("0.4"), "time.end=0.6",
       fmt::format("mesh.max_level={}", max_level), "mesh.block_cells=8",
       "boundary.lower=" + repeated("\"reflecting\""), "boundary.upper=" + repeated("\"problem\""),
       "hydro.scheme=" + scheme, "hydro.reconstruction=" + rule, "hydro.riemann=" + riemann},
      [&](const auto& simulation) {
        double mass = 0, volumes = 0, outer = 0, outer_volumes = 0;
        for_each_leaf(simulation, [&](const Vec<D>& x, double volume, const auto& u) {
          const double r = std::sqrt(dot(x, x));
          if (r > 0.08 && r < 0.14) {
            mass += volume * u.rho;
            volumes += volume;
          }
          if (r > 0.28) {
            outer += volume * u.rho / std::pow(1.0 + 0.6 / r, D - 1);
            outer_volumes += volume;
          }
        });
        mean = mass / volumes;
        fmt::print("Noh, {}-D: density {:.2f} inside, {:.4f} of the exact one outside\n", D, mean,
                   outer / outer_volumes);
        EXPECT_NEAR(outer / outer_volumes, 1.0, D == 3 ? 0.0076 : 0.0035);
      });
  return mean;
}

TEST(Noh, has_the_exact_density_behind_the_shock) {
  EXPECT_NEAR(noh_plateau<1>(8, 1) / 4.0, 1.0, 0.0015);
  EXPECT_NEAR(noh_plateau<2>(4, 1) / 16.0, 1.0, 0.014);
  EXPECT_NEAR(noh_plateau<3>(4, 0) / 64.0, 1.0, 0.075);
}

TEST(Noh, has_it_with_schemes_that_trace_or_take_stages_too) {
  EXPECT_NEAR(noh_plateau<2>(2, 1, "vl2", "ppm") / 16.0, 1.0, 0.03);
  EXPECT_NEAR(noh_plateau<2>(2, 1, "rk3", "ppm") / 16.0, 1.0, 0.033);
  EXPECT_NEAR(noh_plateau<2>(2, 1, "ctu", "ppm") / 16.0, 1.0, 0.085);
  EXPECT_NEAR(noh_plateau<2>(2, 1, "ctu", "ppm_classic", "two_shock") / 16.0, 1.0, 0.08);
}

/// The states that a run leaves, in the order of its cells.
template <int D>
std::vector<hydro::GasState<D>> states_of(const std::string& deck,
                                          std::vector<std::string> overrides,
                                          const std::vector<std::string>& more) {
  overrides.insert(overrides.end(), more.begin(), more.end());
  std::vector<hydro::GasState<D>> states;
  run_deck<D>(deck, overrides, [&](const auto& simulation) {
    for_each_leaf(simulation, [&](const auto&, double, const auto& u) { states.push_back(u); });
  });
  return states;
}

/// Expect four times the density and twice the velocity to make the same states in half the time.
template <int D>
void expect_the_same_in_other_units(const std::string& deck,
                                    const std::vector<std::string>& overrides,
                                    const std::vector<std::string>& in_units,
                                    const std::vector<std::string>& in_others) {
  SCOPED_TRACE(deck);
  const auto states = states_of<D>(deck, overrides, in_units);
  const auto others = states_of<D>(deck, overrides, in_others);
  ASSERT_GT(states.size(), 0u);
  ASSERT_EQ(states.size(), others.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto &u = states[i], &v = others[i];
    ASSERT_NEAR(v.rho / 4, u.rho, 1e-10 * u.rho);
    ASSERT_NEAR(v.energy / 16, u.energy, 1e-10 * u.energy);
    for (int a = 0; a < D; ++a) ASSERT_NEAR(v.mom[a] / 8, u.mom[a], 1e-10 * (1 + u.energy));
  }
}

TEST(Density, of_a_deck_makes_the_same_flow_in_other_units) {
  expect_the_same_in_other_units<1>(
      "noh.toml",
      {"mesh.dim=1", "mesh.lower=[0]", "mesh.upper=[0.4]", "mesh.root_blocks=[2]",
       "boundary.lower=[reflecting]", "boundary.upper=[problem]"},
      {"time.end=0.2"},
      {"time.end=0.1", "problem.density=4", "problem.speed=2", "problem.pressure=16e-6"});
  expect_the_same_in_other_units<2>(
      "sedov_2d.toml", {"mesh.max_level=1", "trace.steps=[]", "problem.radius=0.02"},
      {"time.end=0.002"},
      {"time.end=0.001", "problem.density=4", "problem.energy=16", "problem.pressure=16e-5"});
  expect_the_same_in_other_units<3>(
      "blast.toml", {"mesh.max_level=0"}, {"time.end=0.02"},
      {"time.end=0.01", "problem.density=4", "problem.velocity=[2.0, 1.0, -0.5]",
       "problem.pressure=1.6", "problem.pressure_inside=160"});
}

TEST(DoubleMach, has_its_incident_shock_in_place_and_a_jet_along_the_wall) {
  run_deck<2>("double_mach.toml", {"mesh.root_blocks=[12,3]", "time.end=0.2"},
              [&](const auto& simulation) {
                double densest = 0, thinnest = 1e9, front = 0;
                for_each_leaf(simulation, [&](const Vec<2>& x, double, const auto& u) {
                  densest = std::max(densest, u.rho);
                  thinnest = std::min(thinnest, u.rho);
                  if (x[1] > 0.98 && u.rho > 4.7) front = std::max(front, x[0]);
                });
                fmt::print("double Mach: density {:.2f} to {:.2f}, front at {:.3f}\n", thinnest,
                           densest, front);
                const double exact = 1.0 / 6.0 + (0.99 + 20.0 * 0.2) / std::numbers::sqrt3;
                EXPECT_NEAR(front, exact, 0.0015);
                EXPECT_NEAR(thinnest, 1.4, 0.007);
                EXPECT_NEAR(densest, 22.0, 0.05);  // behind the Mach stem; 8 behind the shock alone
              });
}

/// The bits of a run through moving boundaries, or under gravity, on ranks in a model.
std::uint64_t bits_of(const std::string& deck, const SimulatedRun& run) {
  std::uint64_t bits = 0;
  run_deck<2>(
      deck, {"mesh.block_cells=8", "mesh.max_level=2", "time.max_steps=12", "regrid.interval=3"},
      [&](const auto& simulation) { bits = checksum(simulation); }, run);
  return bits;
}

TEST(GivenBoundariesAndGravity, are_the_same_to_the_bit_on_any_ranks_in_any_model_and_order) {
  for (const std::string deck : {"double_mach.toml", "rayleigh_taylor.toml"}) {
    const auto alone = bits_of(deck, {});
    EXPECT_NE(alone, 0u);
    EXPECT_EQ(bits_of(deck, {.n_ranks = 3, .seed = 1}), alone);
    EXPECT_EQ(bits_of(deck, {.n_ranks = 3, .seed = 2, .model = flow::Model::phase}), alone);
    EXPECT_EQ(bits_of(deck, {.n_ranks = 2, .seed = 3, .model = flow::Model::bulk}), alone);
  }
}

}  // namespace
}  // namespace thalweg::testing
