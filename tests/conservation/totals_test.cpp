// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

/// A blast in gas that moves along all axes of a periodic box: everything crosses everything.
constexpr auto moving_blast = R"(
[problem]
name = "blast"
gamma = 1.6666666666666667
[mesh]
block_cells = 8
[time]
end = 10.0
max_steps = 40
[regrid]
criteria = ["density", "pressure"]
interval = 2
buffer = 1
)";

struct Mesh {
  int ratio;
  int max_level;
  int prolongation = 2;
  std::vector<std::string> more{};  ///< overrides of the deck
};

template <int D>
io::Deck blast_deck(const Mesh& mesh) {
  const std::vector<std::string> velocities{"0.9", "-0.6", "0.4"};
  std::string velocity = "[" + velocities[0];
  for (std::size_t a = 1; a < D; ++a) velocity += "," + velocities[a];
  std::vector<std::string> overrides{"mesh.dim=" + std::to_string(D),
                                     "mesh.lower=" + repeated(D, "0.0"),
                                     "mesh.upper=" + repeated(D, "1.0"),
                                     "mesh.root_blocks=" + repeated(D, D == 1   ? "4"
                                                                       : D == 2 ? "3"
                                                                                : "2"),
                                     "mesh.ratio=" + std::to_string(mesh.ratio),
                                     "mesh.max_level=" + std::to_string(mesh.max_level),
                                     "mesh.prolongation=" + std::to_string(mesh.prolongation),
                                     "boundary.lower=" + repeated(D, "\"periodic\""),
                                     "boundary.upper=" + repeated(D, "\"periodic\""),
                                     "problem.centre=" + repeated(D, "0.4"),
                                     "problem.velocity=" + velocity + "]",
                                     "problem.pressure=0.5",
                                     "problem.pressure_inside=10.0",
                                     "regrid.threshold=" + std::string(D == 3 ? "0.2" : "0.3")};
  overrides.insert(overrides.end(), mesh.more.begin(), mesh.more.end());
  return deck(moving_blast, overrides);
}

/// What is there before and after 40 steps of level 0, and how the mesh went along.
struct Drift {
  std::vector<double> before;
  std::vector<double> after;
  double time = 0;
  std::int64_t n_mesh_changes = 0;
  int n_levels_before = 0;
  int n_levels_after = 0;
};

template <int D>
Drift drift(const Mesh& mesh, int n_ranks) {
  Drift result;
  const auto done = simulate<D>(blast_deck<D>(mesh), {.n_ranks = n_ranks}, [&](auto& simulation) {
    // A copy of its own: the virtual ranks run side by side.
    Drift mine;
    mine.before = simulation.totals();
    mine.n_levels_before = simulation.mesh().n_levels();
    const auto revision = simulation.mesh().forest.revision;
    const auto advanced = simulation.advance_to(40);
    EXPECT_TRUE(advanced) << advanced.error().message;
    EXPECT_EQ(simulation.time_state().step, 40);
    mine.after = simulation.totals();
    mine.time = simulation.time_state().time;
    mine.n_mesh_changes = static_cast<std::int64_t>(simulation.mesh().forest.revision - revision);
    mine.n_levels_after = simulation.mesh().n_levels();
    result = mine;
  });
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

template <class Dimension>
class Totals : public ::testing::Test {};
TYPED_TEST_SUITE(Totals, Dimensions);

/// What the issue asks for; the rounding of all updates of all cells leaves about 1e-15.
constexpr double tolerance = 1e-13;

/// Expect it, and the same bits on any ranks. @return the time that was reached
template <int D>
double expect_conserved(const Mesh& mesh) {
  std::vector<double> alone;
  double time = 0;
  for (const int n_ranks : {1, 3}) {
    SCOPED_TRACE(::testing::Message() << "ratio " << mesh.ratio << ", " << n_ranks << " ranks");
    const Drift run = drift<D>(mesh, n_ranks);

    EXPECT_EQ(run.n_levels_before, mesh.max_level + 1);
    EXPECT_EQ(run.n_levels_after, mesh.max_level + 1);
    EXPECT_GE(run.n_mesh_changes, 5);
    constexpr std::size_t n_components = D + 2;
    EXPECT_EQ(run.after.size(), n_components + 1);  // and the kinetic energy
    for (std::size_t c = 0; c < n_components; ++c) {
      EXPECT_GT(std::abs(run.before[c]), 0.1) << "component " << c;
      const double relative = (run.after[c] - run.before[c]) / run.before[c];
      EXPECT_LE(std::abs(relative), tolerance) << "component " << c;
      ::testing::Test::RecordProperty("drift_" + std::to_string(c), std::to_string(relative));
    }
    if (n_ranks == 1) alone = run.after;
    EXPECT_EQ(run.after, alone);
    time = run.time;
  }
  return time;
}

TYPED_TEST(Totals, are_conserved_on_three_levels_of_ratio_2) {
  expect_conserved<TypeParam::value>({.ratio = 2, .max_level = 2});
}

TYPED_TEST(Totals, are_conserved_on_two_levels_of_ratio_4) {
  expect_conserved<TypeParam::value>({.ratio = 4, .max_level = 1});
}

TEST(TotalsByProlongation, are_conserved_with_constants_and_with_parabolas) {
  const double constant = expect_conserved<2>({.ratio = 2, .max_level = 1, .prolongation = 1});
  const double linear = expect_conserved<2>({.ratio = 2, .max_level = 1});
  const double parabolic = expect_conserved<2>({.ratio = 2, .max_level = 1, .prolongation = 3});
  EXPECT_NE(constant, linear);  // that each was another run
  EXPECT_NE(parabolic, linear);
}

TEST(TotalsByScheme, are_conserved_with_each) {
  const std::string ppm = "hydro.reconstruction=ppm";
  const std::vector<std::vector<std::string>> schemes{
      {},
      {ppm},
      {"hydro.scheme=rk2"},
      {"hydro.scheme=rk3"},
      {"hydro.scheme=rk3", ppm},
      {"hydro.scheme=ctu", ppm},
      {"hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"}};
  std::set<double> times;
  for (const auto& scheme : schemes) {
    SCOPED_TRACE(joined_text(scheme, " "));
    times.insert(expect_conserved<2>({.ratio = 2, .max_level = 2, .more = scheme}));
  }
  EXPECT_EQ(times.size(), schemes.size());  // that each was another run
}

/// What falls gains momentum and energy, but no mass, whatever levels it falls through.
TEST(TotalsUnderGravity, are_those_of_the_mass_before) {
  for (const std::string scheme : {"vl2", "rk3", "ctu"}) {
    const std::string rule = scheme == "vl2" ? "plm" : "ppm";
    const Drift run = drift<2>({.ratio = 2,
                                .max_level = 2,
                                .more = {"hydro.scheme=" + scheme, "hydro.reconstruction=" + rule,
                                         "source.gravity=[0.5,-2.0]"}},
                               3);
    EXPECT_GE(run.n_mesh_changes, 5) << scheme;
    EXPECT_LE(std::abs(run.after[0] / run.before[0] - 1.0), tolerance) << scheme;
    const double fallen = run.after[2] - run.before[2];  // not to rounding through levels
    EXPECT_NEAR(fallen / (-2.0 * run.time * run.before[0]), 1.0, 1e-3) << scheme;
  }
}

}  // namespace
}  // namespace thalweg::testing
