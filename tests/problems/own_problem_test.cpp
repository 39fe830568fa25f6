// SPDX-License-Identifier: MIT
// What a problem may say that none of those that ship does; so it takes their place in this
// program.
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <thalweg/hydro/problem_file.hpp>

#include "../support/dimensions.hpp"
#include "../support/leaves.hpp"
#include "../support/simulated.hpp"

namespace thalweg::hydro {

namespace {

/// The states outside a side in x where a wall pushes.
auto pushed_with(double speed) {
  return [speed](const numerics::BoundaryCell<Gas<1>>& cell) {
    auto u = cell.inside;
    const double mom = 2 * speed * u.rho - u.mom[0];
    u.energy += 0.5 * (mom * mom - u.mom[0] * u.mom[0]) / u.rho;
    u.mom[0] = mom;
    return u;
  };
}

}  // namespace

/// Gas with scalars, denser outside than inside; gas that the wall of libs/app/problems.md pushes.
std::map<std::string, ProblemFile> problem_files() {
  return {{"pushed", problem_file<1>("Gas that a wall pushes.", {},
                                     [](ProblemReader<1>& read) -> GasProblem<1> {
                                       const auto at_rest =
                                           read.gas.to_conserved({.rho = 1.0, .vel = {}, .p = 1.0});
                                       return {.initial = [=](const Cell<1>&) { return at_rest; },
                                               .outside = pushed_with(0.3),
                                               .outside_is_fixed = true};
                                     })},
          {"dense_outside",
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

TEST(OwnProblem, of_a_wall_that_pushes_has_the_exact_state_behind_the_shock) {
  const double gamma = 1.4, speed = 0.3, end = 2;
  const double half = 0.25 * (gamma + 1) * speed;
  const double shock = half + std::sqrt(half * half + gamma);  // into gas of density and pressure 1
  const auto own =
      deck("[problem]\nname = \"pushed\"\n",
           {"mesh.dim=1", "mesh.lower=[0.0]", "mesh.upper=[4.0]", "mesh.root_blocks=[8]",
            "mesh.block_cells=16", "mesh.max_level=0", "time.end=2.0",
            "boundary.lower=[\"problem\"]", "boundary.upper=[\"outflow\"]"});
  const auto done = simulate<1>(own, {}, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(1'000'000);
    ASSERT_TRUE(advanced) << advanced.error().message;
    int n_behind = 0;
    for_each_leaf(simulation, [&](const Vec<1>& x, double, const auto& u) {
      if (x[0] > 0.9 * shock * end) return;
      ++n_behind;
      const double velocity = u.mom[0] / u.rho;
      EXPECT_NEAR(velocity, speed, 0.01 * speed) << x[0];
      const double p = (gamma - 1) * (u.energy - 0.5 * u.mom[0] * velocity);
      EXPECT_NEAR(p, 1 + speed * shock, 0.01) << x[0];
      // The gas nearer to the side only stands for the wall.
      if (x[0] < 1.5 * speed * end) return;
      EXPECT_NEAR(u.rho, shock / (shock - speed), 0.01) << x[0];
    });
    EXPECT_GT(n_behind, 70);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::testing
