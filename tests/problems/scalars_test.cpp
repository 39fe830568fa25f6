// SPDX-License-Identifier: MIT
// Shares of passive scalars that are to stay within 0 and 1.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>

#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// Look at the end of a blast in two dimensions that carries a ball of dye along.
template <int n_scalars, class Look>
void blow(const std::vector<std::string>& words, Look look) {
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
                                     fmt::format("hydro.scalars={}", n_scalars),
                                     "time.end=0.06"};
  overrides.insert(overrides.end(), words.begin(), words.end());
  const auto done =
      simulate<2, n_scalars>(shipped_deck("blast.toml", overrides), {}, [&](auto& simulation) {
        ASSERT_TRUE(simulation.advance_to(1'000'000));
        for_each_leaf(simulation, [&](const auto& x, double, const auto& u) { look(x, u); });
      });
  EXPECT_TRUE(done) << done.error().message;
}

/// By how much shares leave 0 and 1.
double beyond_bounds(const std::vector<std::string>& words) {
  double beyond = 0;
  blow<2>(words, [&](const auto&, const auto& u) {
    for (const double mass : u.rho_x.at)
      beyond = std::max({beyond, -mass / u.gas.rho, mass / u.gas.rho - 1});
  });
  fmt::print("{}: {:.2e}\n", joined_text(words, " "), beyond);
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
  EXPECT_GT(beyond_unbounded, 1e-5);
}

/// The mass of the first scalar in the leaf cells.
template <int n_scalars>
std::vector<double> first_scalar(const std::vector<std::string>& words) {
  std::vector<double> first;
  blow<n_scalars>(words, [&](const auto&, const auto& u) { first.push_back(u.rho_x[0]); });
  return first;
}

TEST(BoundedScalars, have_the_same_bits_whatever_else_is_carried) {
  const std::vector<std::vector<std::string>> meshes{
      {"mesh.max_level=2"}, {"mesh.max_level=1", "mesh.ratio=4", "mesh.prolongation=3"}};
  for (auto words : meshes) {
    words.insert(words.end(), {"hydro.reconstruction=ppm", "hydro.bounded_scalars=true"});
    const auto alone = first_scalar<1>(words);
    EXPECT_FALSE(alone.empty());
    EXPECT_TRUE(first_scalar<2>(words) == alone) << joined_text(words, " ");
  }
}

}  // namespace
}  // namespace thalweg::testing
