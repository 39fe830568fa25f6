// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/advection/advection.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "../support/errors.hpp"
#include "applications.hpp"

namespace thalweg::testing::advection_runs {
namespace {

template <int D>
using Scheme = numerics::RungeKutta<advection::Advection<D>>;

/// What is left of the exact solution, and how much the total has changed.
struct Outcome {
  double error = 0;
  double drift = 0;
  int n_levels = 0;
};

template <int D>
Outcome pulse(int n_cells, double diffusivity, int max_level, double jump = 0.02) {
  const auto list = [](const std::string& x) {
    return "[" + x + (D > 1 ? ", " + x : "") + (D > 2 ? ", " + x : "") + "]";
  };
  const auto deck = application_deck(
      "advection/decks/pulse.toml",
      {"mesh.dim=" + std::to_string(D), "mesh.lower=" + list("0"), "mesh.upper=" + list("1"),
       "mesh.root_blocks=" + list(std::to_string(n_cells / 8)), "mesh.block_cells=8",
       "mesh.max_level=" + std::to_string(max_level), "boundary.lower=" + list("'periodic'"),
       "boundary.upper=" + list("'periodic'"), "pulse.centre=" + list("0.5"), "pulse.sigma=0.1",
       "advection.velocity=" + list("0.5"), "advection.diffusivity=" + std::to_string(diffusivity),
       "regrid.jump=" + std::to_string(jump), "mesh.prolongation=3", "time.end=0.2",
       "time.cfl=0.3"});
  Outcome outcome;
  run_application<Scheme<D>>(deck, {}, [&](const auto& simulation, const auto& before) {
    const advection::Pulse<D> exact{
        {{}, Vec<D>::filled(0.5), diffusivity}, Vec<D>::filled(0.5), Vec<D>::filled(1.0), 0.1};
    outcome = {errors(simulation, exact).l1[0], std::abs(simulation.totals()[0] / before[0] - 1),
               simulation.mesh().n_levels()};
  });
  return outcome;
}

template <int D>
double order(int n_cells, double diffusivity, int max_level, double jump = 0.02) {
  return std::log2(pulse<D>(n_cells, diffusivity, max_level, jump).error /
                   pulse<D>(2 * n_cells, diffusivity, max_level, 0.5 * jump).error);
}

TEST(Advection, is_periodic_where_a_deck_names_no_sides) {
  const auto sides = [](const std::vector<std::string>& given) {
    const auto deck =
        app::load_deck(all_applications(), "application.name = \"advection\"", "pulse.toml", given);
    return deck.strings("boundary.upper");
  };
  EXPECT_EQ(sides({}), std::vector<std::string>(3, "periodic"));
  EXPECT_EQ(sides({"mesh.dim=1", "boundary.lower=['outflow']", "boundary.upper=['outflow']"}),
            std::vector<std::string>{"outflow"});
}

TEST(Advection, counts_all_images_of_a_wide_pulse_and_none_over_open_sides) {
  const auto mean_at_0 = [](Vec<1> period, double sigma) {
    const advection::Pulse<1> pulse{{{}, {{1.0}}}, {{0.9}}, period, sigma};
    double sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += pulse({.centre = {{(i + 0.5) / 64}}, .dx = {{1.0 / 64}}, .time = 0}).u / 64;
    return std::pair(pulse({.centre = {{0.5 / 64}}, .dx = {{1.0 / 64}}, .time = 0}).u, sum);
  };
  for (const double sigma : {0.05, 0.3, 1.4, 1.5, 1e300})  // all of the Gaussian is in the box
    EXPECT_NEAR(mean_at_0({{1.0}}, sigma).second / sigma, std::sqrt(2 * std::numbers::pi), 1e-13);
  const advection::Pulse<1> carried{{{}, {{1.0}}}, {{0.9}}, {{1.0}}, 0.05};
  const auto at_centre = [&](double time) {
    return carried({.centre = {{0.9}}, .dx = {{1.0 / 64}}, .time = time}).u;
  };
  EXPECT_EQ(at_centre(20), at_centre(0));  // it comes round
  EXPECT_GT(mean_at_0({{1.0}}, 0.05).first, 0.05);
  EXPECT_LT(mean_at_0({{0.0}}, 0.05).first, 1e-12);
}

TEST(Advection, is_of_third_order_along_a_line) {
  EXPECT_GT(order<1>(64, 0, 0), 2.8);
}

TEST(Advection, is_at_least_of_second_order_in_any_dimension) {
  EXPECT_GT(order<2>(32, 0, 0), 2.0);
  EXPECT_GT(order<3>(16, 0, 0), 1.7);
}

// Parabolic interpolation between levels: linear one with limited slopes gives 1.3 in two
// dimensions.
TEST(Advection, is_of_second_order_through_a_fine_patch_that_moves) {
  EXPECT_GT(order<1>(32, 0, 1, 0.05), 1.9);
  EXPECT_GT(order<2>(32, 0, 1, 0.05), 1.8);
  EXPECT_EQ(pulse<2>(32, 0, 1, 0.05).n_levels, 2);
}

TEST(Diffusion, is_of_second_order) {
  EXPECT_NEAR(order<1>(32, 0.01, 0), 2.0, 0.25);
  EXPECT_NEAR(order<2>(32, 0.01, 0), 2.0, 0.25);
  EXPECT_NEAR(order<1>(32, 0.05, 0), 2.0, 0.1);  // so wide that images of the pulse overlap
}

TEST(Diffusion, conserves_through_a_fine_patch) {
  const auto outcome = pulse<2>(32, 0.01, 1, 0.05);
  EXPECT_EQ(outcome.n_levels, 2);
  EXPECT_LT(outcome.drift, 1e-14);
}

TEST(Diffusion, shortens_the_time_step) {
  // dt = cfl / (v/dx + 2 k/dx^2): forgetting the diffusion lets the pulse explode.
  EXPECT_LT(pulse<1>(128, 0.02, 0).error, 1e-4);
}

}  // namespace
}  // namespace thalweg::testing::advection_runs
