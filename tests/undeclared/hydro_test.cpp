// SPDX-License-Identifier: MIT
// No false alarm: gas dynamics on an adaptive mesh, through regrids, on one rank and on three.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/simulation.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/problems.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/tag.hpp>

#include "../support/virtual_ranks.hpp"

namespace thalweg::testing {
namespace {

/// A ball of hot gas in a stream, on three levels, or two in three dimensions; a source that reads
/// the time heats it.
template <int D>
void expect_nothing_found(int n_ranks, flow::Model model) {
  using Gas = hydro::Euler<D>;
  using Scheme = numerics::Vl2<Gas>;
  const Gas gas{.eos = {.gamma = 1.4}};
  const app::Problem<Scheme> blast{
      .scheme = {gas},
      .initial = hydro::Blast<D>{.gas = gas,
                                 .centre = Vec<D>::filled(0.4),
                                 .velocity = Vec<D>::filled(5.0),
                                 .radius = 0.03},
      .tag = [gas](const auto&, const auto& cells, const auto& valid, const auto& tags) {
        numerics::tag_jumps<typename Gas::State>(
            cells, tags, valid, 0.4,
            [gas](typename Gas::State u) { return std::array{u.rho, gas.pressure(u)}; });
      }};
  // A part of a cube, so that there are so few tasks at once that all can be told apart.
  Index<D> root_blocks = Index<D>::filled(1);
  Vec<D> upper = Vec<D>::filled(0.5);
  root_blocks[0] = D == 3 ? 3 : 2;
  upper[0] = 0.5 * root_blocks[0];
  const app::Settings<D> settings{.mesh = {.upper = upper,
                                           .root_blocks = root_blocks,
                                           .block_cells = 8,
                                           .max_level = D == 3 ? 1 : 2},
                                  .time = {.end = 10.0, .max_steps = D == 3 ? 16 : 6}};
  flow::AccessChecker checker;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks(
      {.n_ranks = n_ranks, .model = model, .checker = &checker}, files,
      [&](const app::Context& context) {
        const auto made = app::Simulation<Scheme>::create(context, blast, settings);
        if (!made) throw std::runtime_error(made.error().message);
        const auto run = (*made)->advance_to(settings.time.max_steps);
        if (!run) throw std::runtime_error(run.error().message);
        EXPECT_GT((*made)->mesh().forest.revision, 1u);
      });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
}

TEST(Hydro, declares_all_it_uses_in_1d) {
  expect_nothing_found<1>(1, flow::Model::dataflow);
  expect_nothing_found<1>(3, flow::Model::phase);
}

TEST(Hydro, declares_all_it_uses_in_2d) {
  expect_nothing_found<2>(1, flow::Model::dataflow);
  expect_nothing_found<2>(3, flow::Model::dataflow);
}

TEST(Hydro, declares_all_it_uses_in_3d) {
  expect_nothing_found<3>(1, flow::Model::dataflow);
  expect_nothing_found<3>(3, flow::Model::dataflow);
}

}  // namespace
}  // namespace thalweg::testing
