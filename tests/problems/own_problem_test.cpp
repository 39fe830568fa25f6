// SPDX-License-Identifier: MIT
// What a problem may say that none of those that ship does; so it takes their place in this
// program.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/hydro/problem_file.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::hydro {

/// Gas with scalars, denser outside than inside.
std::map<std::string, ProblemFile> problem_files() {
  return {{"dense_outside",
           problem_file<2>("Denser outside.", {}, [](ProblemReader<2>& read) -> GasProblem<2> {
             const auto of_density = [gas = read.gas](double rho) {
               return gas.to_conserved({.rho = rho, .vel = {}, .p = 1.0});
             };
             return {.initial = [=](const Cell<2>& cell) { return of_density(1 + cell.centre[0]); },
                     .scalars = [](int k, const Cell<2>& cell) { return cell.centre[k]; },
                     .outside = [=](const auto&) { return of_density(8); }};
           })}};
}

}  // namespace thalweg::hydro

namespace thalweg::testing {
namespace {

TEST(OwnProblem, has_the_shares_of_scalars_in_the_mirror_image_outside) {
  const auto own =
      deck("[problem]\nname = \"dense_outside\"\n",
           {"mesh.dim=2", "mesh.lower=[0.0, 0.0]", "mesh.upper=[1.0, 1.0]",
            "mesh.root_blocks=[1, 1]", "mesh.block_cells=8", "mesh.max_level=0", "time.end=1.0",
            "hydro.scalars=2", "boundary.lower=" + repeated(2, "\"problem\""),
            "boundary.upper=" + repeated(2, "\"problem\"")});
  const auto done = simulate<2, 2>(own, {}, [](auto& simulation) {
    ASSERT_TRUE(simulation.fill_ghosts());
    const auto& cells = simulation.state().cells[0].view(0);
    int n_outside = 0;
    for_each(cells.box(), [&](const Index<2>& i) {
      Index<2> image = i;
      int n_crossed = 0;
      for (int a = 0; a < 2; ++a) {
        if (i[a] >= 0 && i[a] < 8) continue;
        image[a] = i[a] < 0 ? -1 - i[a] : 15 - i[a];
        ++n_crossed;
      }
      if (n_crossed != 1) return;
      ++n_outside;
      EXPECT_EQ((cells[0, i]), 8.0);
      for (int k = 0; k < 2; ++k) EXPECT_DOUBLE_EQ((cells[4 + k, i]), 8 * (image[k] + 0.5) / 8);
    });
    EXPECT_EQ(n_outside, 4 * 8 * simulation.problem().scheme.n_ghosts);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::testing
