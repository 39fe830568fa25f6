// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/ghost.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

// Whether a cell is a ghost cell of a block in reach.
template <int D>
bool is_within(const GhostReach& reach, const Box<D>& block, const Index<D>& cell) {
  int n_outside = 0;
  for (int a = 0; a < D; ++a) n_outside += cell[a] < block.lo[a] || cell[a] >= block.hi[a];
  return n_outside > 0 && block.grown(reach.layers).contains(cell) &&
         (reach.with_corners || n_outside == 1);
}

// Every ghost cell in reach is filled once, from the cell it stands for, if a block of the level
// has that.
template <int D>
void expect_filled_within(const GhostReach& reach, const testing::World<D>& world, int level,
                          const std::vector<Copy<D>>& copies) {
  const mesh::Geometry<D>& geometry = world.geometry();
  auto copy = copies.begin();
  for (const mesh::Key<D>& key : world.keys) {
    if (key.level != level) continue;
    const Box<D> all = geometry.cells(key).grown(testing::options(world, level).n_ghosts);
    std::vector<int> counts(View<int, D>::size_of(all, 1));
    const View<int, D> n_filled(counts.data(), all, 1);
    int n_wrong = 0;
    for (; copy != copies.end() && copy->dst == key; ++copy)
      for_each(copy->region, [&](const Index<D>& cell) {
        ++n_filled[0, cell];
        n_wrong += testing::wrapped(geometry, level, cell) != cell + copy->shift;
        n_wrong += testing::holder(geometry, level, cell + copy->shift) != copy->src;
      });
    for_each(all, [&](const Index<D>& cell) {
      const auto source = testing::wrapped(geometry, level, cell);
      const bool is_wanted = is_within(reach, geometry.cells(key), cell);
      const int expected =
          is_wanted && source && world.keys.contains(testing::holder(geometry, level, *source));
      n_wrong += n_filled[0, cell] != expected;
    });
    EXPECT_EQ(n_wrong, 0) << "cells of block " << key.code;
  }
  EXPECT_EQ(copy, copies.end());
}

template <int D>
void expect_filled(const testing::World<D>& world, int level, const std::vector<Copy<D>>& copies) {
  expect_filled_within({testing::options(world, level).n_ghosts}, world, level, copies);
}

template <int D>
std::vector<Copy<D>> plan_all(const testing::World<D>& world, int level) {
  const PlanOptions options = testing::options(world, level);
  std::vector<Transfers<D>> by_rank;
  for (std::size_t q = 0; q < world.forests.size(); ++q) {
    const GhostPlan<D> plan = plan_ghost(world.forests[q], world.neighbours[q], options);
    by_rank.push_back(plan.transfers);
  }
  testing::expect_matching(by_rank, world.forests, world.forests, options.max_comm_tasks);
  return testing::all_copies(by_rank);
}

// The same exchange with the ghost cells in reach alone.
template <int D>
void expect_narrowed() {
  for (const bool with_corners : {false, true})
    for (const int layers : {1, 2}) {
      const auto reach_in = [=](const testing::World<D>& world, int level) {
        return GhostReach{std::min(layers, testing::options(world, level).n_ghosts), with_corners};
      };
      testing::for_worlds<D>(
          0,
          [&](const testing::World<D>& world, int level) {
            const PlanOptions options = testing::options(world, level);
            std::vector<Transfers<D>> by_rank;
            const GhostReach reach = reach_in(world, level);
            for (std::size_t q = 0; q < world.forests.size(); ++q) {
              const GhostPlan<D> plan =
                  within_reach(plan_ghost(world.forests[q], world.neighbours[q], options),
                               world.geometry(), reach);
              EXPECT_EQ(plan.reach, reach);
              by_rank.push_back(plan.transfers);
            }
            testing::expect_matching(by_rank, world.forests, world.forests, {});
            return testing::all_copies(by_rank);
          },
          [&](const testing::World<D>& world, int level, const std::vector<Copy<D>>& copies) {
            expect_filled_within(reach_in(world, level), world, level, copies);
          });
    }
}

template <int D>
void expect_planned() {
  testing::for_worlds<D>(0, plan_all<D>, expect_filled<D>);
}

TEST(GhostPlan, fills_each_ghost_cell_that_a_neighbour_has_once_1d) {
  expect_planned<1>();
}
TEST(GhostPlan, fills_each_ghost_cell_that_a_neighbour_has_once_2d) {
  expect_planned<2>();
}
TEST(GhostPlan, fills_each_ghost_cell_that_a_neighbour_has_once_3d) {
  expect_planned<3>();
}

TEST(GhostPlan, within_reach_fills_no_more_1d) {
  expect_narrowed<1>();
}
TEST(GhostPlan, within_reach_fills_no_more_2d) {
  expect_narrowed<2>();
}
TEST(GhostPlan, within_reach_fills_no_more_3d) {
  expect_narrowed<3>();
}

TEST(GhostPlan, more_ghost_layers_than_cells_are_a_broken_contract) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  EXPECT_THROW(plan_ghost(world.forests[0], world.neighbours[0], {.n_ghosts = 9}),
               ContractViolation);
  EXPECT_THROW(plan_ghost(world.forests[0], world.neighbours[0], {.n_ghosts = 0}),
               ContractViolation);
  EXPECT_THROW(plan_ghost(world.forests[0], world.neighbours[0], {.level = 7}), ContractViolation);
}

TEST(GhostPlan, stale_neighbours_are_a_broken_contract) {
  auto world = testing::make_world(testing::cases<1>().front(), 1);
  ++world.forests[0].revision;
  EXPECT_THROW(plan_ghost(world.forests[0], world.neighbours[0], {}), ContractViolation);
  world.neighbours[0].revision = world.forests[0].revision + 1;
  EXPECT_THROW(plan_ghost(world.forests[0], world.neighbours[0], {}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
