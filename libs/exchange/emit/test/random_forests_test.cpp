// SPDX-License-Identifier: MIT
// Ghost cells of many small random forests against an oracle that knows whole levels.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/prolong_patch.hpp>
#include <thalweg/exchange/emit/testing/random_world.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

#include "../../../../tests/support/campaign.hpp"

namespace thalweg::exchange {
namespace {

using testing::Blocks;
using testing::boundaries;
using testing::DenseOracle;
using testing::expect_right;
using testing::n_components;
using testing::Seen;
using testing::Tracers;
using testing::World;

/// Fill the ghost cells of a level by the plans' copies alone, as the tasks would, one block after
/// the other.
template <int D>
void fill_directly(const BoundaryContext<Tracers<D>>& boundary, const LevelData<D>& level,
                   const GhostPlan<D>& ghost, const LevelData<D>& coarser,
                   const CoarsePlan<D>* coarse, double theta, std::vector<std::byte>& scratch) {
  flow::Recorder lists(Rank{0}, 1);
  std::vector<flow::Access> accesses;
  Gatherer ghosts(lists, ghost.transfers, {}, FromInterior<D>{level});
  for (const auto& block : level.blocks) {
    ghosts(block.key, block.cells, accesses)(block.cells);
    const auto patches = coarse == nullptr
                             ? std::span<const CoarsePatch<D>>{}
                             : with_destination(coarse->patches, block.key, &CoarsePatch<D>::fine);
    if (!patches.empty()) {
      Gatherer cells(lists, coarse->transfers, {}, FromTime<D>{coarser, theta});
      prolong_patch(lists, patches.front(), coarse->regions_of(patches.front()), n_components,
                    cells, accesses)(FillContext<D>(boundary), block.cells, scratch);
    }
    numerics::fill_boundaries(boundary.system, block.cells,
                              boundary.geometry.domain_cells(level.level), boundary.boundaries);
  }
}

/// Fill the ghost cells of all levels of a world, and look at each cell of this rank.
template <int D, class Exchange, class Fill>
Seen fill_and_look(const World<D>& world, const mesh::Forest<D>& forest,
                   const std::set<mesh::Key<D>>& keys, Exchange&& exchange, const Fill& fill,
                   const field::JoinRule& rule = {}) {
  const auto neighbours = mesh::find_neighbour_info(forest, exchange);
  const BoundaryContext<Tracers<D>> boundary{
      {forest.geometry, boundaries(forest.geometry), world.rule}};
  Blocks<D> blocks(forest, world.width, rule);
  const auto at = [&](int time) {
    return [&world, time](int level, const Index<D>& cell, int c) {
      return world.values(level, cell, c, time);
    };
  };
  blocks.fill(at(1), at(0));
  for (int l = 0; l < forest.n_levels(); ++l) {
    const PlanOptions options{l, world.width, 2, world.rule.reach()};
    std::optional<CoarsePlan<D>> coarse;
    if (l > 0) coarse = plan_coarse_ghosts(forest, neighbours, options);
    fill(boundary, blocks, l, plan_ghost(forest, neighbours, options), coarse);
  }
  const DenseOracle<D> oracle(forest.geometry, keys, world.values, world.theta, world.rule);
  Seen seen;
  for (int l = 0; l < forest.n_levels(); ++l)
    for (std::size_t b = 0; b < blocks.cells(l).size(); ++b)
      look(world, boundary, oracle, l, blocks.cells(l).view(b), seen);
  std::size_t n_blocks = 0;
  for (int l = 0; l < forest.n_levels(); ++l) n_blocks += blocks.cells(l).size();
  seen.idle_ranks = n_blocks == 0;
  seen.single_ranks = blocks.cells(0).size() == 1;
  return seen;
}

/// On one rank and without tasks: fast enough for thousands.
template <int D>
Seen see_copies(std::uint64_t seed) {
  const World<D> world(seed);
  mesh::testing::OneRank alone;
  const auto forest = mesh::testing::random_forest(world.forest, Rank{0}, 1, alone);
  std::vector<std::byte> scratch(
      scratch_bytes_prolong<Tracers<D>>(forest.geometry, world.width, world.rule.reach()));
  return fill_and_look(
      world, forest, mesh::testing::all_keys<D>({forest}), alone,
      [&](const auto& boundary, auto& blocks, int l, const auto& ghost, const auto& coarse) {
        flow::Recorder recorder(Rank{0}, 1);  // gives names to data, no more
        const auto level = blocks.bind(recorder, l);
        LevelData<D> coarser;
        if (coarse) coarser = blocks.bind(recorder, l - 1);
        fill_directly(boundary, level, ghost, coarser, coarse ? &*coarse : nullptr, world.theta,
                      scratch);
      });
}

/// On some virtual ranks, as tasks and messages whose order the seed chooses too.
template <int D>
Seen see_graphs(const World<D>& world, int n_ranks) {
  const auto keys = testing::keys_of(world.forest);
  std::vector<Seen> by_rank(static_cast<std::size_t>(n_ranks));
  testing::on_virtual_ranks(
      n_ranks,
      [&](testing::VirtualRank& self) {
        const auto forest =
            mesh::testing::random_forest(world.forest, self.rank(), n_ranks, self.collectives());
        by_rank[self.rank()()] = fill_and_look(
            world, forest, keys, self.collectives(),
            [&](const auto& boundary, auto& blocks, int l, const auto& ghost, const auto& coarse) {
              auto recorder = self.recorder();
              const auto level = blocks.bind(recorder, l);
              LevelData<D> coarser;
              if (coarse) coarser = blocks.bind(recorder, l - 1);
              std::optional<CoarserLevel<D>> source;
              if (coarse) source.emplace(coarser, *coarse, world.theta);
              emit_fill(recorder, boundary, level, ghost, source);
              self.run(std::move(recorder));
            },
            {.levels = world.forest.seed / 3 % 2 == 0 ? field::JoinLevels::none
                                                      : field::JoinLevels::all});
      },
      world.forest.seed);
  Seen all;
  for (const auto& seen : by_rank) all += seen;
  return all;
}

TEST(RandomForests, have_the_right_ghost_cells_by_copies_in_14_000_2d) {
  expect_right(1, 14'000,
               {.copied = 10'000'000,
                .prolonged = 3'000'000,
                .corners = 700'000,
                .exact = {500'000, 500'000, 400'000},
                .periodic = {0, 25'000, 40'000},
                .outside = 1'500'000},
               see_copies<2>);
}
// Enough each time for all kinds of cells; with ./test --all three times as many.
TEST(RandomForests, have_the_right_ghost_cells_by_copies_in_2_000_3d) {
  expect_right(1, thalweg::testing::few_or_many(2'000, 6'000),
               {.copied = 10'000'000,
                .prolonged = 3'300'000,
                .corners = 430'000,
                .exact = {530'000, 800'000, 230'000},
                .periodic = {0, 66'000, 66'000},
                .outside = 3'600'000},
               see_copies<3>);
}

template <int D>
Seen see_graphs_on_1_to_3_ranks(std::uint64_t seed) {
  return see_graphs(World<D>(seed), 1 + static_cast<int>(seed % 3));
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_1_to_3_ranks_2d) {
  expect_right(100'001, 200,
               {.copied = 130'000,
                .prolonged = 40'000,
                .corners = 9'000,
                .exact = {6'000, 5'500, 6'500},
                .periodic = {0, 350, 400},
                .outside = 20'000},
               see_graphs_on_1_to_3_ranks<2>);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_1_to_3_ranks_3d) {
  expect_right(100'001, 100,
               {.copied = 500'000,
                .prolonged = 170'000,
                .corners = 8'000,
                .exact = {45'000, 16'000, 7'000},
                .periodic = {0, 1'800, 500},
                .outside = 150'000},
               see_graphs_on_1_to_3_ranks<3>);
}

/// On more ranks than level 0 has blocks; every third seed, on as many.
template <int D>
Seen see_graphs_on_64_ranks(std::uint64_t seed) {
  World<D> world(seed);
  if (seed % 3 == 0) {
    auto& geometry = world.forest.geometry;
    geometry.root_blocks = Index<D>::filled(D == 2 ? 8 : 4);
    geometry.max_level = 1;
    geometry.ratio = world.values.ratio = 2;
  }
  return see_graphs(world, 64);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_64_ranks_2d) {
  expect_right(200'001, 20,
               {.copied = 40'000,
                .prolonged = 13'000,
                .corners = 2'500,
                .exact = {1'000, 1'500, 3'300},
                .periodic = {0, 0, 180},
                .outside = 3'600,
                .idle_ranks = 400,
                .single_ranks = 300},
               see_graphs_on_64_ranks<2>);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_64_ranks_3d) {
  expect_right(200'001, 20,
               {.copied = 800'000,
                .prolonged = 200'000,
                .corners = 7'000,
                .exact = {11'000, 33'000, 0},
                .periodic = {0, 4'000, 0},
                .outside = 140'000,
                .idle_ranks = 500,
                .single_ranks = 300},
               see_graphs_on_64_ranks<3>);
}

}  // namespace
}  // namespace thalweg::exchange
