// SPDX-License-Identifier: MIT
// Shares of passive scalars that are to stay within 0 and 1.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// By how much shares leave 0 and 1 at the end of a blast in two dimensions that carries a ball of
/// dye along, on three levels that follow it, and on one.
double beyond_bounds(const std::vector<std::string>& words) {
  std::vector<std::string> overrides{"mesh.dim=2",
                                     "mesh.lower=[0.0,0.0]",
                                     "mesh.upper=[1.0,1.0]",
                                     "mesh.root_blocks=[2,2]",
                                     "mesh.block_cells=16",
                                     "problem.centre=[0.45,0.55]",
                                     "problem.velocity=[1.0,0.5]",
                                     "problem.pressure_inside=100.0",
                                     "boundary.lower=[\"periodic\",\"periodic\"]",
                                     "boundary.upper=[\"periodic\",\"periodic\"]",
                                     "hydro.scalars=2",
                                     "time.end=0.06"};
  overrides.insert(overrides.end(), words.begin(), words.end());
  double beyond = 0;
  const auto done =
      simulate<2, 2>(shipped_deck("blast.toml", overrides), {}, [&](auto& simulation) {
        ASSERT_TRUE(simulation.advance_to(1'000'000));
        for_each_leaf(simulation, [&](const auto&, double, const auto& u) {
          for (const double mass : u.rho_x.at)
            beyond = std::max({beyond, -mass / u.gas.rho, mass / u.gas.rho - 1});
        });
      });
  EXPECT_TRUE(done) << done.error().message;
  fmt::print("{}: {:.2e}\n", fmt::join(words, " "), beyond);
  return beyond;
}

TEST(BoundedScalars, stay_within_bounds_to_rounding) {
  // Levels that follow the blast, and a finer one into which the dye goes and out of which it
  // comes.
  const std::vector<std::vector<std::string>> meshes{
      {"mesh.max_level=0"},
      {"mesh.max_level=2"},
      {"mesh.max_level=1", "mesh.ratio=4", "regrid.criteria=[\"box\"]",
       "regrid.box_lower=[0.5,0.3]", "regrid.box_upper=[0.7,0.8]", "regrid.buffer=0"}};
  double beyond_unbounded = 0;
  for (const std::string scheme : {"vl2", "rk2", "rk3", "ctu"})
    for (const auto& mesh : meshes) {
      std::vector<std::string> words{"hydro.scheme=" + scheme, "hydro.reconstruction=ppm",
                                     "time.cfl=0.3"};
      words.insert(words.end(), mesh.begin(), mesh.end());
      beyond_unbounded = std::max(beyond_unbounded, beyond_bounds(words));
      words.push_back("hydro.bounded_scalars=true");
      EXPECT_LT(beyond_bounds(words), 1e-13);
    }
  EXPECT_GT(beyond_unbounded, 1e-4);
}

}  // namespace
}  // namespace thalweg::testing
