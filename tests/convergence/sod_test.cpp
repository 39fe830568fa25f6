// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>

#include "../support/errors.hpp"
#include "../support/simulated.hpp"

namespace thalweg::testing {
namespace {

constexpr auto sod = R"(
[problem]
name = "sod"
gamma = 1.4
[mesh]
dim = 1
lower = [-0.5]
upper = [0.5]
block_cells = 8
ratio = 2
[boundary]
lower = ["outflow"]
upper = ["outflow"]
[time]
end = 0.25
[regrid]
threshold = 0.02
interval = 2
buffer = 2
)";

constexpr double end_time = 0.25;

/// The errors at the end with n cells on level 0 and so many finer levels.
///
/// cfl is not taken from a deck, where 1/2 is the most, as in more dimensions; in one the scheme is
/// stable to 1.
Errors sod_errors(int n, int max_level, double cfl) {
  const auto setup = [&] {
    auto from_deck = hydro::set_up<1>(deck(sod, {fmt::format("mesh.root_blocks=[{}]", n / 8),
                                                 fmt::format("mesh.max_level={}", max_level)}));
    from_deck.settings.time.cfl = cfl;
    return from_deck;
  }();
  // One sample a cell, in its centre: what the published figures are compared with.
  const hydro::ShockTube<1> tube{.n_subsamples = 1};
  Errors result;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks({}, files, [&](const app::Context& context) {
    app::Simulation<hydro::GasScheme<1>> simulation(context, setup.problem, setup.settings);
    const auto advanced = simulation.advance_to(1'000'000);
    EXPECT_TRUE(advanced) << advanced.error().message;
    EXPECT_EQ(simulation.moment().time, end_time);
    EXPECT_EQ(simulation.mesh().n_levels(), max_level + 1);
    result = errors(simulation, [&](Vec<1> x, Vec<1> dx) { return tube.exact(x, dx, end_time); });
  });
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

std::vector<Errors> table(const char* name, const std::vector<int>& grids, int max_level,
                          double cfl) {
  fmt::print("{}, CFL {}\n{:>8} {:>11} {:>12} {:>12} {:>12} {:>6}\n", name, cfl, "cells x",
             "leaf cells", "density", "momentum", "energy", "order");
  std::vector<Errors> rows;
  for (const int n : grids) {
    rows.push_back(sod_errors(n, max_level, cfl));
    const auto& e = rows.back();
    const std::string order =
        rows.size() < 2 ? "-"
                        : fmt::format("{:.2f}", std::log2(rows[rows.size() - 2].l1[0] / e.l1[0]));
    fmt::print("{:>8} {:>11} {:>12.3e} {:>12.3e} {:>12.3e} {:>6}\n", n, e.n_leaf_cells, e.l1[0],
               e.l1[1], e.l1[2], order);
  }
  return rows;
}

/// Athena++ with the same scheme and CFL number: density, momentum, energy.
constexpr double published[3][3] = {
    {3.85e-3, 3.75e-3, 7.76e-3}, {2.15e-3, 2.11e-3, 4.02e-3}, {1.24e-3, 1.21e-3, 2.20e-3}};

TEST(Sod, has_the_published_errors) {
  const auto rows = table("Sod's tube", {128, 256, 512}, 0, 0.8);

  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rows[i].l1[c] / published[i][c], 1.0, 0.06);
}

TEST(Sod, converges_as_shocks_and_contacts_do_also_on_an_adaptive_mesh) {
  const auto uniform = table("Sod's tube", {128, 256, 512}, 0, 0.5);
  const auto refined = table("Sod's tube, one finer level", {64, 128, 256}, 1, 0.5);

  // First order at the shock, 2/3 at the contact; published: 0.84 and 0.79.
  for (const auto* rows : {&uniform, &refined})
    for (std::size_t i = 0; i + 1 < rows->size(); ++i) {
      const double order = std::log2((*rows)[i].l1[0] / (*rows)[i + 1].l1[0]);
      EXPECT_GE(order, 0.75);
      EXPECT_LE(order, 0.95);
    }
  // A good adaptive run equals the uniform run of its finest level with fewer cells.
  for (std::size_t i = 0; i < refined.size(); ++i) {
    EXPECT_LT(refined[i].n_leaf_cells, uniform[i].n_leaf_cells);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(refined[i].l1[c] / uniform[i].l1[c], 1.0, 0.01);
  }
}

}  // namespace
}  // namespace thalweg::testing
