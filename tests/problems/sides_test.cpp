// SPDX-License-Identifier: MIT
// What a deck says of each side of the domain gets there, and to no other side.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/system.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

// Spelt out once more, in the order 2*axis + side.
constexpr std::array sides{"lower_x", "upper_x", "lower_y", "upper_y", "lower_z", "upper_z"};

// A gas that no two sides share: density, velocities and pressure.
template <int D>
hydro::GasPrimitive<D> gas_outside(int face) {
  hydro::GasPrimitive<D> gas{.rho = 1.0 + face, .vel = {}, .p = 2.0 + face};
  for (int a = 0; a < D; ++a) gas.vel[a] = 0.25 * (face + 1) + a;
  return gas;
}

// One block of gas at rest.
template <int D>
io::Deck one_block(const std::vector<std::string>& boundaries) {
  std::vector<std::string> overrides{fmt::format("mesh.dim={}", D),
                                     "mesh.lower=" + repeated(D, "0.0"),
                                     "mesh.upper=" + repeated(D, "1.0"),
                                     "mesh.root_blocks=" + repeated(D, "1"),
                                     "mesh.block_cells=8",
                                     "mesh.max_level=0",
                                     "time.end=1.0"};
  overrides.insert(overrides.end(), boundaries.begin(), boundaries.end());
  return deck("[problem]\nname = \"uniform\"\n", overrides);
}

template <class Dimension>
class Sides : public ::testing::Test {};
TYPED_TEST_SUITE(Sides, Dimensions);

TYPED_TEST(Sides, have_the_inflow_of_their_own_key) {
  constexpr int D = TypeParam::value;
  std::vector<std::string> boundaries{"boundary.lower=" + repeated(D, "\"inflow\""),
                                      "boundary.upper=" + repeated(D, "\"inflow\"")};
  for (int face = 0; face < 2 * D; ++face) {
    const auto gas = gas_outside<D>(face);
    boundaries.push_back(fmt::format("boundary.inflow_{}=[{:.2f}, {}, {:.2f}]",
                                     sides[static_cast<std::size_t>(face)], gas.rho,
                                     joined_text(gas.vel.at), gas.p));
  }

  const auto done = simulate<D>(one_block<D>(boundaries), {}, [&](auto& simulation) {
    ASSERT_TRUE(simulation.fill_ghosts());
    const auto& cells = simulation.state().cells[0].view(0);
    const Box<D> domain = Box<D>::cube(8);
    const auto& system = simulation.problem().scheme.system;
    std::array<int, 2 * D> n_right{};
    for_each(cells.box(), [&](const Index<D>& i) {
      int n_crossed = 0;
      int face = 0;
      for (int a = 0; a < D; ++a) {
        if (i[a] >= domain.lo[a] && i[a] < domain.hi[a]) continue;
        ++n_crossed;
        face = 2 * a + (i[a] < domain.lo[a] ? 0 : 1);
      }
      if (n_crossed != 1) return;
      const auto u = numerics::load<hydro::GasState<D>>(cells.at(0, i), cells.component_stride());
      n_right[static_cast<std::size_t>(face)] += u == system.to_conserved(gas_outside<D>(face));
    });
    const int n_beside = simulation.problem().scheme.n_ghosts * (D == 1 ? 1 : D == 2 ? 8 : 64);
    for (const int n : n_right) EXPECT_EQ(n, n_beside);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Sides, have_the_kind_that_the_deck_lists_for_their_axis_and_end) {
  using enum numerics::Boundary;
  const auto kinds = [](const std::string& lower, const std::string& upper,
                        const std::vector<std::string>& more) {
    std::vector<std::string> boundaries{"boundary.lower=" + lower, "boundary.upper=" + upper};
    boundaries.insert(boundaries.end(), more.begin(), more.end());
    return hydro::set_up<3, 0>(one_block<3>(boundaries)).problem.boundaries;
  };
  const std::string gas = "=[1.0, 0.0, 0.0, 0.0, 1.0]";

  EXPECT_EQ(
      kinds(R"(["inflow", "reflecting", "outflow"])", R"(["outflow", "inflow", "reflecting"])",
            {"boundary.inflow_lower_x" + gas, "boundary.inflow_upper_y" + gas}),
      (numerics::Boundaries<3>{fixed, outflow, reflecting, fixed, outflow, reflecting}));
  EXPECT_EQ(kinds(R"(["reflecting", "periodic", "outflow"])",
                  R"(["outflow", "periodic", "inflow"])", {"boundary.inflow_upper_z" + gas}),
            (numerics::Boundaries<3>{reflecting, outflow, periodic, periodic, outflow, fixed}));
}

}  // namespace
}  // namespace thalweg::testing
