// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/errors.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// The error of the density when the vortex is back, with so many root blocks of 16 cells a side.
double vortex_error(int n_blocks, int max_level, const std::string& criterion = "density") {
  double error = 0;
  run_deck<2>("vortex.toml",
              {fmt::format("mesh.root_blocks=[{},{}]", n_blocks, n_blocks),
               fmt::format("mesh.max_level={}", max_level),
               fmt::format("regrid.criteria=[\"{}\"]", criterion)},
              [&](const auto& simulation) {
                error = errors(simulation, [&](const auto& cell) {
                          return simulation.problem().initial.of(cell);
                        }).l1[0];
                fmt::print("vortex, {} blocks a side, {} levels: {:.3e}\n", n_blocks, max_level + 1,
                           error);
              });
  return error;
}

TEST(Vortex, is_back_after_one_turn_of_the_box_with_an_error_of_second_order) {
  const double coarse = vortex_error(2, 0);
  const double fine = vortex_error(4, 0);
  const double finest = vortex_error(8, 0);
  EXPECT_GT(std::log2(coarse / fine), 2.1);
  EXPECT_GT(std::log2(fine / finest), 2.4);
}

TEST(Vortex, in_a_patch_that_follows_it_is_as_good_as_on_fine_cells_everywhere) {
  const double fine = vortex_error(4, 0);
  EXPECT_NEAR(vortex_error(2, 1) / fine, 1.0, 0.006);
  EXPECT_NEAR(vortex_error(2, 1, "problem") / fine, 1.0, 0.006);
}

/// The kinetic energy of a ring that has turned for a while, relative to the first.
double kinetic_energy_kept(int n_blocks) {
  double kept = 0;
  run_deck<2>("gresho.toml", {fmt::format("mesh.root_blocks=[{},{}]", n_blocks, n_blocks)},
              [&](const auto& simulation) {
                const double dx = 1.0 / (16 * n_blocks);
                double before = 0, after = 0;
                const auto kinetic = [](const auto& u) { return 0.5 * dot(u.mom, u.mom) / u.rho; };
                for_each_leaf(simulation, [&](const Vec<2>& x, double volume, const auto& u) {
                  after += volume * kinetic(u);
                  before += volume * kinetic(simulation.problem().initial.of({x, {{dx, dx}}}));
                });
                kept = after / before;
                fmt::print("Gresho's vortex, {} blocks a side: {:.4f}\n", n_blocks, kept);
              });
  return kept;
}

TEST(Gresho, keeps_its_kinetic_energy) {
  const double coarse = kinetic_energy_kept(2);
  const double fine = kinetic_energy_kept(4);
  EXPECT_GT(coarse, 0.88);
  EXPECT_GT(fine, 0.976);
  EXPECT_LT(fine, 1.0);
}

/// The wave of two lengths in the velocity across, weighted as in the paper.
double kelvin_helmholtz_mode(int n_blocks, double end) {
  double mode = 0;
  run_deck<2>("kelvin_helmholtz.toml",
              {fmt::format("mesh.root_blocks=[{},{}]", n_blocks, n_blocks),
               fmt::format("time.end={}", end)},
              [&](const auto& simulation) {
                double s = 0, c = 0, d = 0;
                for_each_leaf(simulation, [&](const Vec<2>& x, double volume, const auto& u) {
                  const double k = 4.0 * std::numbers::pi;
                  const double weight =
                      volume * std::exp(-k * std::abs(x[1] < 0.5 ? x[1] - 0.25 : 0.75 - x[1]));
                  s += u.mom[1] / u.rho * std::sin(k * x[0]) * weight;
                  c += u.mom[1] / u.rho * std::cos(k * x[0]) * weight;
                  d += weight;
                });
                mode = 2.0 * std::hypot(s, c) / d;
                fmt::print("Kelvin-Helmholtz, {} blocks a side, t = {}: {:.4e}\n", n_blocks, end,
                           mode);
              });
  return mode;
}

TEST(KelvinHelmholtz, waves_grow_and_faster_where_the_layers_are_resolved) {
  const double start = kelvin_helmholtz_mode(4, 0.0);
  const double coarse = kelvin_helmholtz_mode(4, 1.0);
  const double fine = kelvin_helmholtz_mode(8, 1.0);
  EXPECT_NEAR(start, 0.01, 2.1e-5);
  EXPECT_NEAR(coarse, 0.0354, 0.0001);
  EXPECT_NEAR(fine, 0.0474, 0.0035);  // as on 512^2 cells
}

}  // namespace
}  // namespace thalweg::testing
