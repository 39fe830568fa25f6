// SPDX-License-Identifier: MIT
// A blast in the middle of its box is its own mirror image to the bit, on levels that follow it
// too.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>
#include <thalweg/numerics/system.hpp>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

/// How many leaf cells differ from their mirror images along any axis, in place or state.
template <int D>
std::int64_t n_asymmetric(const std::vector<std::string>& scheme) {
  std::vector<std::string> overrides{fmt::format("mesh.dim={}", D),
                                     "mesh.lower=" + repeated(D, "0"),
                                     "mesh.upper=" + repeated(D, "1"),
                                     "mesh.root_blocks=" + repeated(D, "2"),
                                     "mesh.max_level=1",
                                     "boundary.lower=" + repeated(D, "\"periodic\""),
                                     "boundary.upper=" + repeated(D, "\"periodic\""),
                                     "problem.centre=" + repeated(D, "0.5"),
                                     "problem.velocity=" + repeated(D, "0.0"),
                                     "problem.radius=0.2",
                                     "time.max_steps=10"};
  overrides.insert(overrides.end(), scheme.begin(), scheme.end());
  std::int64_t n_different = 0;
  run_deck<D>("blast.toml", overrides, [&](const auto& simulation) {
    using State = hydro::GasState<D>;
    std::map<std::array<double, D>, State> cells;  // places are sums of powers of two
    for_each_leaf(simulation,
                  [&](const Vec<D>& x, double, const auto& u) { cells.emplace(x.at, u); });
    EXPECT_EQ(simulation.mesh().n_levels(), 2);
    for (const auto& [x, u] : cells)
      for (int a = 0; a < D; ++a) {
        auto opposite = x;
        opposite[static_cast<std::size_t>(a)] = 1.0 - opposite[static_cast<std::size_t>(a)];
        const auto found = cells.find(opposite);
        const bool is_same = found != cells.end() &&
                             found->second == simulation.problem().scheme.system.mirror(u, a);
        n_different += is_same ? 0 : 1;
      }
  });
  return n_different;
}

TEST(Symmetry, of_a_blast_holds_to_the_bit_through_levels_that_follow_it) {
  const std::string ppm = "hydro.reconstruction=ppm";
  for (const std::vector<std::string>& scheme : std::vector<std::vector<std::string>>{
           {},
           {ppm},
           {ppm, "hydro.riemann=lhllc"},
           {"hydro.scheme=rk3", ppm},
           {ppm, "mesh.ratio=4", "mesh.prolongation=3"},
           {"hydro.scheme=ctu", ppm},
           {"hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"}}) {
    SCOPED_TRACE(joined_text(scheme, " "));
    EXPECT_EQ(n_asymmetric<2>(scheme), 0);
    EXPECT_EQ(n_asymmetric<3>(scheme), 0);
  }
}

}  // namespace
}  // namespace thalweg::testing
