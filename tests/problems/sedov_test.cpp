// SPDX-License-Identifier: MIT
// The shipped deck of a point explosion, on fewer cells, through the whole program.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../../apps/hydro/test/sedov_figures.hpp"
#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

using hydro::test::SedovFigures;

struct Explosion {
  SedovFigures::Outcome figures;
  std::int64_t n_cells;
};

/// Run CASTRO's scheme on 32^3 cells or, with a level below, on 16^3.
Explosion explode(const std::vector<std::string>& mesh) {
  std::vector<std::string> overrides{"hydro.scheme=ctu", "hydro.reconstruction=ppm_classic",
                                     "hydro.riemann=two_shock", "time.cfl=0.5"};
  overrides.insert(overrides.end(), mesh.begin(), mesh.end());
  SedovFigures figures;
  std::int64_t n_cells = 0;
  run_deck<3>("sedov.toml", overrides, [&](const auto& simulation) {
    EXPECT_EQ(simulation.time_state().time, SedovFigures::end);
    for_each_leaf(simulation, [&](const Vec<3>& x, double volume, const auto& u) {
      figures.add(x, std::cbrt(volume), u);
      ++n_cells;
    });
  });
  const auto found = figures.outcome();
  fmt::print("Sedov, {} cells: L1 {:.4f} {:.4f} {:.4f}, maxima {:.3f} {:.3f}, shock {:.4f}\n",
             n_cells, found.l1[0], found.l1[1], found.l1[2], found.max_rho, found.max_p,
             found.shock_radius);
  return {found, n_cells};
}

/// A good adaptive run equals the uniform run of its finest level to three digits: as Castro's with
/// 32^3 cells and a level, beside 64^3. Castro on 32^3: maxima 2.951 and 3.816, shock at .3207.
TEST(Sedov, on_two_levels_has_the_figures_of_the_finer_level_everywhere) {
  const auto uniform = explode({"mesh.max_level=0"});
  const auto refined = explode({"mesh.max_level=1", "mesh.block_cells=8"});
  EXPECT_EQ(uniform.n_cells, 32 * 32 * 32);
  EXPECT_LT(refined.n_cells, 0.8 * static_cast<double>(uniform.n_cells));
  for (std::size_t q = 0; q < 3; ++q)
    EXPECT_NEAR(refined.figures.l1[q] / uniform.figures.l1[q], 1.0, 0.002) << q;
  EXPECT_NEAR(refined.figures.max_rho / uniform.figures.max_rho, 1.0, 0.001);
  EXPECT_NEAR(refined.figures.max_p / uniform.figures.max_p, 1.0, 0.001);
  EXPECT_NEAR(refined.figures.shock_radius, uniform.figures.shock_radius, 2e-4);
  EXPECT_NEAR(refined.figures.energy / uniform.figures.energy, 1.0, 1e-12);  // none has left
  EXPECT_NEAR(refined.figures.max_rho, 2.951, 0.005);
  EXPECT_NEAR(refined.figures.max_p, 3.816, 0.014);
  EXPECT_NEAR(refined.figures.shock_radius, 0.3207, 1e-4);
}

/// Where the mean pressure of shells, of a cell's width each, falls below half its maximum.
template <int D>
double shock_radius(int n_blocks) {
  const std::size_t n_shells = 16 * static_cast<std::size_t>(n_blocks);
  std::vector<double> pressure(n_shells), volumes(n_shells);
  run_deck<D>("sedov.toml",
              {fmt::format("mesh.dim={}", D), "mesh.lower=" + repeated(D, "0.0"),
               "mesh.upper=" + repeated(D, "0.5"),
               "mesh.root_blocks=" + repeated(D, std::to_string(n_blocks)), "mesh.max_level=0",
               "boundary.lower=" + repeated(D, "\"reflecting\""),
               "boundary.upper=" + repeated(D, "\"outflow\""),
               "problem.centre=" + repeated(D, "0.0"), "problem.radius=0.01"},
              [&](const auto& simulation) {
                for_each_leaf(simulation, [&](const Vec<D>& x, double volume, const auto& u) {
                  const auto shell = static_cast<std::size_t>(std::sqrt(dot(x, x)) / 0.5 *
                                                              static_cast<double>(n_shells));
                  if (shell >= n_shells) return;
                  pressure[shell] += volume * simulation.problem().scheme.system.pressure(u);
                  volumes[shell] += volume;
                });
              });
  for (std::size_t s = 0; s < n_shells; ++s)
    pressure[s] = volumes[s] > 0 ? pressure[s] / volumes[s] : 0.0;
  const double half = 0.5 * *std::ranges::max_element(pressure);
  std::size_t s = n_shells - 1;
  while (pressure[s] < half) --s;
  return 0.5 * (static_cast<double>(s) + 1.0) / static_cast<double>(n_shells);
}

/// With alpha rho r^(j + 2) = E t^2. Kamm and Timmes (2007) give the energies with which the shock
/// is at 0.5 on a plane, 0.0673185 on each of its sides, and at 0.75 on a line, 0.311357, when t
/// = 1.
TEST(Sedov, on_a_plane_and_on_a_line_has_its_shock_where_the_exact_one_is) {
  const double t = SedovFigures::end;
  const double plane = 0.5 * std::cbrt(t * t / (2 * 0.0673185));
  const double line = 0.75 * std::pow(t * t / 0.311357, 0.25);
  const double found_plane = shock_radius<1>(16), found_line = shock_radius<2>(4);
  fmt::print("shock on a plane {:.4f}, exact {:.4f}; on a line {:.4f}, exact {:.4f}\n", found_plane,
             plane, found_line, line);
  EXPECT_NEAR(found_plane, plane, 0.5 / 256);  // a cell
  EXPECT_NEAR(found_line, line, 0.003);
}

}  // namespace
}  // namespace thalweg::testing
