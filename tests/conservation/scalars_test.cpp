// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

#include "../support/leaves.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

/// A blast on three levels that moves through a periodic box; its ball is dyed, and half the box.
constexpr auto dyed_blast = R"(
[problem]
name = "blast"
gamma = 1.6666666666666667
centre = [0.4, 0.5]
velocity = [0.9, -0.6]
pressure = 0.5
[mesh]
dim = 2
lower = [0.0, 0.0]
upper = [1.0, 1.0]
root_blocks = [3, 3]
block_cells = 8
max_level = 2
[boundary]
lower = ["periodic", "periodic"]
upper = ["periodic", "periodic"]
[time]
end = 10.0
max_steps = 30
[regrid]
criteria = ["density", "pressure"]
buffer = 1
)";

const std::string corner_transport =
    "[hydro]\nscheme = \"ctu\"\nreconstruction = \"ppm_classic\"\nriemann = \"two_shock\"\n";
const std::string rk2 = "[hydro]\nscheme = \"rk2\"\n";
const std::string rk3 = "[hydro]\nscheme = \"rk3\"\nreconstruction = \"ppm\"\n";
const std::string with_scalars = "hydro.scalars=2";

void expect_conserved(const std::string& hydro, int ratio) {
  const auto deck =
      testing::deck(dyed_blast + hydro, {with_scalars, fmt::format("mesh.ratio={}", ratio),
                                         fmt::format("mesh.max_level={}", ratio == 4 ? 1 : 2)});
  std::vector<double> alone;
  for (const int n_ranks : {1, 3}) {
    const auto done = simulate<2, 2>(deck, {.n_ranks = n_ranks}, [&](auto& simulation) {
      const auto before = simulation.totals();
      const auto revision = simulation.mesh().forest.revision;
      const auto advanced = simulation.advance_to(30);
      ASSERT_TRUE(advanced) << advanced.error().message;
      const auto after = simulation.totals();
      EXPECT_GT(simulation.mesh().forest.revision, revision + 3);  // the mesh moved
      for (const std::size_t c : {4, 5}) EXPECT_NEAR(after[c], before[c], 1e-13 * before[c]);
      if (n_ranks == 1) alone = after;
      EXPECT_EQ(after, simulation.context().transport.rank() == Rank{0} ? alone : after);
    });
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(ScalarTotals, stay_to_rounding_through_reflux_and_regrids) {
  expect_conserved("", 2);
  expect_conserved("", 4);
  expect_conserved(corner_transport, 2);
  expect_conserved(rk2, 2);
  expect_conserved(rk3, 2);
}

/// How far a scalar of 0.3 and one of 1 are off after a run on three levels.
double constants_off(const std::string& hydro) {
  auto setup = hydro::set_up<2, 2>(testing::deck(dyed_blast + hydro, {with_scalars}));
  setup.problem.initial =
      step::SetCells<2>([initial = step::SetCells<2>(setup.problem.initial)](
                            const auto& level, const auto& cells, const auto& region) {
        initial(level, cells, region);
        for_each(region, [&](const Index<2>& i) {
          cells[4, i] = 0.3 * cells[0, i];
          cells[5, i] = cells[0, i];
        });
      });
  double off = 0;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    const auto simulation = made(context, setup.problem, setup.settings);
    const auto advanced = simulation->advance_to(30);
    ASSERT_TRUE(advanced) << advanced.error().message;
    EXPECT_EQ(simulation->mesh().n_levels(), 3);
    for_each_leaf(*simulation, [&](const auto&, double, const auto& u) {
      off = std::max(off, std::abs(u.rho_x[0] / u.gas.rho - 0.3));
      off = std::max(off, std::abs(u.rho_x[1] / u.gas.rho - 1.0));
    });
  });
  EXPECT_TRUE(done) << done.error().message;
  return off;
}

TEST(ScalarTotals, of_constant_scalars_are_constant_in_each_cell_of_each_level) {
  EXPECT_LT(constants_off(""), 1e-13);
  EXPECT_LT(constants_off("[hydro]\nreconstruction = \"ppm\"\n"), 1e-13);
  EXPECT_LT(constants_off(corner_transport), 1e-13);
  EXPECT_LT(constants_off(rk2), 1e-13);
  EXPECT_LT(constants_off(rk3), 1e-13);
}

/// A number over the bits of the gas in all leaf cells.
template <int N>
std::uint64_t gas_bits(const std::string& hydro) {
  std::uint64_t sum = 0;
  const auto deck = testing::deck(dyed_blast + hydro, {fmt::format("hydro.scalars={}", N)});
  const auto done = simulate<2, N>(deck, {}, [&](auto& simulation) {
    const auto advanced = simulation.advance_to(30);
    ASSERT_TRUE(advanced) << advanced.error().message;
    for_each_leaf(simulation, [&](const auto& x, double, const auto& u) {
      const auto& gas = [&]() -> const auto& {
        if constexpr (N > 0)
          return u.gas;
        else
          return u;
      }();
      std::uint64_t cell = std::bit_cast<std::uint64_t>(x[0] + 3.0 * x[1]);
      for (std::size_t c = 0; c < 4; ++c)
        cell = SplitMix64(cell ^ std::bit_cast<std::uint64_t>(numerics::component(gas, c)))();
      sum += cell;
    });
  });
  EXPECT_TRUE(done) << done.error().message;
  return sum;
}

TEST(ScalarTotals, leave_the_gas_its_bits) {
  for (const std::string& hydro : {std::string(), corner_transport, rk3}) {
    const auto alone = gas_bits<0>(hydro);
    EXPECT_EQ(gas_bits<1>(hydro), alone);
    EXPECT_EQ(gas_bits<2>(hydro), alone);
  }
}

std::string complaint(const std::vector<std::string>& overrides,
                      const std::string& text = dyed_blast) {
  try {
    app::check(application(), testing::deck(text, overrides));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Gas enters from the left, with shares of 0.25 and 1, into gas that the problem gives none.
TEST(Scalars, are_nothing_but_what_an_inflow_brings_where_the_problem_does_not_place_them) {
  const auto deck = testing::deck(R"(
problem.name = "uniform"
problem.velocity = [0.5, 0.0]
hydro.scalars = 2
mesh = {dim = 2, upper = [1.0, 0.5], root_blocks = [4, 2], block_cells = 8, max_level = 1}
boundary.lower = ["inflow", "outflow"]
boundary.upper = ["outflow", "outflow"]
boundary.inflow_lower_x = [1.0, 0.5, 0.0, 1.0, 0.25, 1.0]
regrid.criteria = ["scalars"]
time = {end = 10.0, max_steps = 40}
)");
  const auto done = simulate<2, 2>(deck, {.n_ranks = 3}, [&](auto& simulation) {
    const auto before = simulation.totals();
    EXPECT_EQ(before[4], 0);
    EXPECT_EQ(before[5], 0);
    const auto advanced = simulation.advance_to(40);
    ASSERT_TRUE(advanced) << advanced.error().message;
    const auto after = simulation.totals();
    const double entered = simulation.time_state().time * 0.5 * 0.5;  // speed, width
    EXPECT_NEAR(after[4], 0.25 * entered, 1e-12);
    EXPECT_NEAR(after[5], entered, 1e-12);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Scalars, are_refused_where_nothing_is_known_of_them) {
  EXPECT_EQ(complaint({with_scalars, "hydro.riemann=exact"}), "");
  EXPECT_NE(complaint({"regrid.criteria=[\"scalars\"]"}).find("hydro.scalars = 0"),
            std::string::npos);
  EXPECT_NE(complaint({with_scalars, "boundary.lower=[\"inflow\", \"periodic\"]",
                       "boundary.upper=[\"outflow\", \"periodic\"]",
                       "boundary.inflow_lower_x=[1.0, 1.0, 0.0, 1.0]"})
                .find("mass fractions of 2 scalars); give 6 numbers"),
            std::string::npos);
}

}  // namespace
}  // namespace thalweg::testing
