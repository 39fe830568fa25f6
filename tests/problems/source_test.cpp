// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/hydro/gravity.hpp>

#include "../support/errors.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

const std::vector<std::string> schemes{"vl2", "ctu", "rk2", "rk3"};

std::vector<std::string> with_scheme(const std::string& scheme,
                                     std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"hydro.scheme=" + scheme, "hydro.reconstruction=ppm"});
  return overrides;
}

/// A uniform gas that falls freely, aslant.
constexpr auto falling_gas = R"(
[problem]
name = "uniform"
velocity = [0.3, -0.2]
density = 0.5
pressure = 0.5
[source]
gravity = [0.5, -2.0]
[mesh]
dim = 2
lower = [0.0, 0.0]
upper = [1.0, 1.0]
root_blocks = [2, 2]
block_cells = 8
[time]
end = 0.4
cfl = 0.4
)";

/// The greatest error of a component after falling between sides of these kinds.
double fall_error(const std::string& scheme, const std::string& kinds, double cfl) {
  const auto deck = testing::deck(
      falling_gas, with_scheme(scheme, {"boundary.lower=" + kinds, "boundary.upper=" + kinds,
                                        fmt::format("time.cfl={}", cfl)}));
  double error = 0;
  const auto done = simulate<2>(deck, {}, [&](auto& simulation) {
    ASSERT_TRUE(simulation.advance_to(1'000'000));
    const double t = simulation.time_state().time;
    const auto exact = hydro::Euler<2>{{deck.real("problem.gamma")}}.to_conserved(
        {.rho = 0.5, .vel = {{0.3 + 0.5 * t, -0.2 - 2.0 * t}}, .p = 0.5});
    error = std::ranges::max(errors(simulation, [&](const auto&) { return exact; }).l1);
  });
  EXPECT_TRUE(done) << done.error().message;
  return error;
}

TEST(FreeFall, of_a_uniform_gas_is_exact_between_sides_that_fall_with_it) {
  for (const std::string kinds : {"['problem','problem']", "['problem','periodic']",
                                  "['periodic','problem']", "['problem','outflow']"}) {
    for (const std::string scheme : {"vl2", "ctu"})
      EXPECT_LT(fall_error(scheme, kinds, 0.4), 1e-13) << scheme << ", " << kinds;
    // The energy, a square of time, is exact at the end of a step, but not in its stages.
    for (const std::string scheme : {"rk2", "rk3"})
      EXPECT_GT(fall_error(scheme, kinds, 0.4) / fall_error(scheme, kinds, 0.2), 3.9)
          << scheme << ", " << kinds;
  }
}

/// The error of the density in a steady stream that gravity accelerates from an inflow.
double stream_error(const std::string& scheme, int n_blocks) {
  const double gamma = 1.4, g = 2.0, v_0 = 2.0;  // sound has speed 1.18
  // Lines keep to the constant state at the face of an inflow, which parabolas overshoot.
  const std::string reconstruction = scheme == "ctu" ? "ppm_classic" : "plm";
  double error = 0;
  run_deck<1>("inflow.toml",
              {"hydro.scheme=" + scheme, "hydro.reconstruction=" + reconstruction,
               fmt::format("mesh.root_blocks=[{}]", n_blocks), "mesh.max_level=0", "time.end=2.0",
               fmt::format("boundary.inflow_lower_x=[1.0,{},1.0]", v_0),
               fmt::format("problem.velocity=[{}]", v_0), fmt::format("source.gravity=[{}]", g)},
              [&](const auto& simulation) {
                // Bernoulli's law of an isentrope, solved for the speed by Newton's method.
                const auto head = [=](double v) {
                  return 0.5 * v * v + gamma / (gamma - 1.0) * std::pow(v_0 / v, gamma - 1.0);
                };
                error = errors(simulation, [&](const auto& cell) {
                          double v = v_0 + g;
                          for (int k = 0; k < 50; ++k)
                            v -= (head(v) - head(v_0) - g * cell.centre[0]) /
                                 (v - gamma * std::pow(v_0 / v, gamma) / v_0);
                          return hydro::GasState<1>{.rho = v_0 / v, .mom = {}, .energy = 0};
                        }).l1[0];
                fmt::print("stream from an inflow, {}, {} cells: {:.3e}\n", scheme, 16 * n_blocks,
                           error);
              });
  return error;
}

TEST(Inflow, keeps_its_state_where_gravity_acts) {
  for (const std::string& scheme : schemes) {
    const double coarse = stream_error(scheme, 1), fine = stream_error(scheme, 2);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << scheme;
  }
}

using Setup2 = hydro::Setup<2>;

/// The bits of falling gas after some steps in a box whose lower and upper sides are changed.
std::uint64_t bits_in_box(const std::string& scheme, const std::function<void(Setup2&)>& change) {
  auto setup = hydro::set_up<2>(testing::deck(
      falling_gas, with_scheme(scheme, {"boundary.lower=['periodic','reflecting']",
                                        "boundary.upper=['periodic','reflecting']"})));
  change(setup);
  std::uint64_t bits = 0;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto simulation = made(context, setup.problem, setup.settings);
    ASSERT_TRUE(simulation->advance_to(10));
    bits = checksum(*simulation);
  });
  EXPECT_TRUE(done) << done.error().message;
  return bits;
}

TEST(Walls, that_a_problem_makes_of_mirror_images_are_walls_where_gravity_acts) {
  for (const std::string& scheme : schemes) {
    const auto walls = bits_in_box(scheme, [](Setup2&) {});
    EXPECT_EQ(bits_in_box(scheme,
                          [](Setup2& setup) {
                            auto& problem = setup.problem;
                            problem.boundaries[2] = problem.boundaries[3] =
                                numerics::Boundary::fixed;
                            problem.outside = [gas = problem.scheme.system](const auto& cell) {
                              return gas.mirror(cell.inside, 1);
                            };
                          }),
              walls)
        << scheme;
  }
}

/// The error of a breathing gas, of all components.
double breathing_error(const std::string& scheme, int n_blocks, int max_level) {
  double error = 0;
  run_deck<2>(
      "breathing.toml",
      with_scheme(scheme, {fmt::format("mesh.root_blocks=[{},{}]", n_blocks, n_blocks),
                           "mesh.block_cells=8", fmt::format("mesh.max_level={}", max_level)}),
      [&](const auto& simulation) {
        const auto& geometry = simulation.mesh().forest.geometry;
        const exchange::SetOutside<2>& outside = simulation.problem().outside;
        error = errors(simulation, [&](const auto& cell) {
                  Index<2> i;
                  for (int a = 0; a < 2; ++a)
                    i[a] = static_cast<int>(
                        std::floor((cell.centre[a] - geometry.config().lower[a]) / cell.dx[a]));
                  std::array<double, 4> inside{},
                      exact{};  // which is what the problem says outside
                  outside(geometry, cell.level, cell.time,
                          {0, i, 1, inside.data(), 0, exact.data(), 1});
                  return numerics::load<hydro::GasState<2>>(exact.data(), 1);
                }).norm();
        fmt::print("breathing, {}, {} blocks a side, {} levels: {:.3e}\n", scheme, n_blocks,
                   max_level + 1, error);
      });
  return error;
}

TEST(Breathing, is_of_second_order_under_a_source_of_place_time_and_state) {
  for (const std::string& scheme : schemes)
    for (const int max_level : {0, 1}) {
      // vl2 comes to its order on finer cells, with smaller errors on all.
      const int n_blocks = scheme == "vl2" ? 4 : 2;
      const double coarse = breathing_error(scheme, n_blocks, max_level);
      const double fine = breathing_error(scheme, 2 * n_blocks, max_level);
      EXPECT_LT(fine, 6e-4);
      // Errors of rk2 on coarse and on fine cells have opposite signs.
      const double least_order = scheme == "rk2" && max_level > 0 ? 1.6 : 1.8;
      EXPECT_GT(std::log2(coarse / fine), least_order) << scheme << ", " << max_level;
    }
}

TEST(Breathing, has_the_same_bits_on_any_ranks_in_any_model_and_order) {
  const auto bits_of = [](const std::string& scheme, const SimulatedRun& run) {
    std::uint64_t bits = 0;
    run_deck<2>(
        "breathing.toml", with_scheme(scheme, {"time.max_steps=6", "mesh.block_cells=8"}),
        [&](const auto& simulation) { bits = checksum(simulation); }, run);
    return bits;
  };
  for (const std::string& scheme : schemes) {
    const auto alone = bits_of(scheme, {});
    EXPECT_NE(alone, 0u);
    EXPECT_EQ(bits_of(scheme, {.n_ranks = 2, .seed = 1}), alone);
    EXPECT_EQ(bits_of(scheme, {.n_ranks = 3, .seed = 2, .model = flow::Model::phase}), alone);
    EXPECT_EQ(bits_of(scheme, {.n_ranks = 3, .seed = 3, .model = flow::Model::bulk}), alone);
    EXPECT_EQ(bits_of(scheme, {.n_ranks = 7, .seed = 4, .model = flow::Model::forkjoin}), alone);
  }
}

TEST(Breathing, keeps_its_mass_across_periodic_sides_where_the_source_jumps) {
  for (const std::string& scheme : schemes) {
    double mass = 0;
    run_deck<2>("breathing.toml",
                with_scheme(scheme, {"time.end=0.1", "boundary.lower=['periodic','periodic']",
                                     "boundary.upper=['periodic','periodic']"}),
                [&](const auto& simulation) {
                  for_each_leaf(simulation, [&](const auto&, double volume, const auto& u) {
                    mass += volume * u.rho;
                  });
                });
    EXPECT_NEAR(mass, 1.0, 1e-13) << scheme;
  }
}

/// The first time step of a gas at rest, density and pressure 1, in cells of 1/32.
double first_dt(const step::SourceTerms<1>& source) {
  auto setup = hydro::set_up<1>(
      shipped_deck("inflow.toml", {"mesh.root_blocks=[2]", "mesh.max_level=0", "time.cfl=0.4"}));
  setup.problem.source = source;
  double dt = 0;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    dt = made(context, setup.problem, setup.settings)->time_state().dt;
  });
  EXPECT_TRUE(done) << done.error().message;
  return dt;
}

TEST(TimeStep, allows_for_how_a_source_quickens_signals) {
  const double gamma = 1.4, dx = 1.0 / 32.0, signal = std::sqrt(gamma) / dx;
  const double alone = first_dt({});
  EXPECT_NEAR(alone * signal, 0.4, 1e-14);

  const double g = 1e3;
  const double falling = first_dt(
      [gravity = hydro::Gravity<1>{{{-g}}}](const auto& cells, const auto& region,
                                            const auto& step) { gravity(cells, region, step.dt); });
  EXPECT_NEAR(signal * falling + 0.5 * g / dx * falling * falling, 0.4, 1e-12);

  const double heat = 1e3;  // per volume and time
  const double heated = first_dt([=](const auto& cells, const auto& region, const auto& step) {
    for_each(region, [&](const Index<1>& i) { cells[2, i] += step.dt * heat; });
  });
  const double after = std::sqrt(gamma * (1.0 + (gamma - 1.0) * heat * alone)) / dx;
  EXPECT_NEAR(signal * heated + 0.5 * (after - signal) / alone * heated * heated, 0.4, 1e-12);
}

}  // namespace
}  // namespace thalweg::testing
