// SPDX-License-Identifier: MIT
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/core/joined_text.hpp>

#include "../support/dimensions.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

constexpr auto moving_gas = R"(
[problem]
name = "uniform"
gamma = 1.4
[mesh]
block_cells = 8
[time]
end = 10.0
max_steps = 12
[regrid]
criteria = ["box"]
interval = 2
buffer = 0
)";

template <int D>
io::Deck uniform_deck(int ratio, const std::string& boundary,
                      const std::vector<std::string>& scheme) {
  std::vector<std::string> overrides{"mesh.dim=" + std::to_string(D),
                                     "mesh.lower=" + repeated(D, "0.0"),
                                     "mesh.upper=" + repeated(D, "1.1"),
                                     "mesh.root_blocks=" + repeated(D, "3"),
                                     "mesh.ratio=" + std::to_string(ratio),
                                     "mesh.max_level=" + std::string(ratio == 4 ? "1" : "2"),
                                     "boundary.lower=" + repeated(D, '"' + boundary + '"'),
                                     "boundary.upper=" + repeated(D, '"' + boundary + '"'),
                                     "problem.velocity=" + repeated(D, "0.3"),
                                     "regrid.box_lower=" + repeated(D, "0.4"),
                                     "regrid.box_upper=" + repeated(D, "0.5")};
  overrides.insert(overrides.end(), scheme.begin(), scheme.end());
  return deck(moving_gas, overrides);
}

/// How many cells of this rank differ from the state of the gas in any bit.
template <int D>
std::int64_t n_changed(const step::Mesh<D>& mesh, const step::State<D>& state,
                       const typename hydro::Euler<D>::State& expected) {
  std::int64_t n = 0;
  for (const auto& level : state.cells)
    for (std::size_t b = 0; b < level.size(); ++b)
      for_each(mesh.forest.geometry.cells(level.keys()[b]), [&](const Index<D>& i) {
        for (int c = 0; c < D + 2; ++c)
          n += std::bit_cast<std::uint64_t>(level.view(b)[c, i]) !=
               std::bit_cast<std::uint64_t>(
                   numerics::component(expected, static_cast<std::size_t>(c)));
      });
  return n;
}

/// Run a uniform gas through a refined patch, which jumps aside by half its size every two steps
/// where it is told to move.
template <int D>
void expect_uniform(int ratio, const std::string& boundary,
                    const std::vector<std::string>& scheme = {}) {
  SCOPED_TRACE(::testing::Message() << D << "-D, ratio " << ratio << ", " << boundary);
  const auto setup = hydro::set_up<D>(uniform_deck<D>(ratio, boundary, scheme));
  const auto expected = setup.problem.initial.of({});
  io::MemoryFileSystem files;
  std::int64_t n_changes = 0;
  const auto done = on_virtual_ranks({.n_ranks = 2}, files, [&](const app::Context& context) {
    double where = 0.0;
    auto problem = setup.problem;
    problem.tag = [&where, fixed = step::SetTags<D>(setup.problem.tag)](
                      const step::LevelContext<D>& level, const View<const double, D>& cells,
                      const Box<D>& valid, const View<std::uint8_t, D>& tags) {
      fixed(level, cells, valid, tags);
      for_each(valid, [&](const Index<D>& i) {
        const auto x = level.cell(i).centre;
        bool is_inside = x[0] > where && x[0] < where + 0.2;
        for (int a = 1; a < D; ++a) is_inside = is_inside && x[a] > 0.2 && x[a] < 0.4;
        if (is_inside) tags[0, i] = 1;
      });
    };
    const auto simulation = made(context, problem, setup.settings);
    const auto revision = simulation->mesh().forest.revision;

    for (std::int64_t step = 2; step <= 12; step += 2) {
      where += 0.17;
      ASSERT_TRUE(simulation->advance_to(step));
    }

    EXPECT_EQ(simulation->mesh().n_levels(), setup.settings.mesh.max_level + 1);
    EXPECT_EQ(n_changed(simulation->mesh(), simulation->state(), expected), 0);
    n_changes = static_cast<std::int64_t>(simulation->mesh().forest.revision - revision);
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_GE(n_changes, 3);
}

template <class Dimension>
class UniformGas : public ::testing::Test {};
TYPED_TEST_SUITE(UniformGas, Dimensions);

TYPED_TEST(UniformGas, stays_uniform_to_the_bit_on_a_mesh_of_ratio_2_that_changes) {
  expect_uniform<TypeParam::value>(2, "periodic");
  expect_uniform<TypeParam::value>(2, "outflow");
}

TYPED_TEST(UniformGas, stays_uniform_to_the_bit_on_a_mesh_of_ratio_4_that_changes) {
  expect_uniform<TypeParam::value>(4, "periodic");
}

TYPED_TEST(UniformGas, stays_uniform_to_the_bit_with_every_scheme) {
  const std::string ppm = "hydro.reconstruction=ppm";
  for (const std::vector<std::string>& scheme : std::vector<std::vector<std::string>>{
           {ppm},
           {ppm, "hydro.riemann=lhllc"},
           {"hydro.scheme=rk3", ppm, "hydro.riemann=roe"},
           {"hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "hydro.riemann=two_shock"}}) {
    SCOPED_TRACE(joined_text(scheme, " "));
    expect_uniform<TypeParam::value>(2, "periodic", scheme);
  }
}

}  // namespace
}  // namespace thalweg::testing
