// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/coarse.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/plan/points.hpp>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

// A patch with its regions.
template <int D>
struct WholePatch {
  mesh::Key<D> fine;
  Box<D> patch;
  std::vector<Box<D>> regions;

  bool operator==(const WholePatch&) const = default;
};

// All ranks' plans as one: patches by fine block, and the copies into them.
template <int D>
struct Whole {
  std::vector<WholePatch<D>> patches;
  std::vector<Copy<D>> copies;

  bool operator==(const Whole&) const = default;
};

template <int D>
Whole<D> join(const std::vector<CoarsePlan<D>>& plans, const testing::World<D>& world,
              int max_comm_tasks) {
  Whole<D> whole;
  std::vector<Transfers<D>> by_rank;
  for (std::size_t q = 0; q < plans.size(); ++q) {
    for (const CoarsePatch<D>& patch : plans[q].patches) {
      EXPECT_TRUE(world.forests[q].has(patch.fine));
      const auto regions = plans[q].regions_of(patch);
      whole.patches.push_back({patch.fine, patch.patch, {regions.begin(), regions.end()}});
    }
    by_rank.push_back(plans[q].transfers);
  }
  std::ranges::sort(whole.patches, {}, &WholePatch<D>::fine);
  testing::expect_matching(by_rank, world.forests, world.forests, max_comm_tasks);
  whole.copies = testing::all_copies(by_rank);
  return whole;
}

// Every coarse cell that prolongation reads arrives once, from the cell it stands for; what lies
// outside the domain does not arrive.
template <int D>
void expect_footprints(const testing::World<D>& world, const Whole<D>& whole, int reach) {
  const mesh::Geometry<D>& geometry = world.geometry();
  auto copy = whole.copies.begin();
  for (const WholePatch<D>& patch : whole.patches) {
    const int coarse_level = patch.fine.level - 1;
    std::vector<int> marks(2 * View<int, D>::size_of(patch.patch, 1));
    const View<int, D> view(marks.data(), patch.patch, 2);  // how often filled; whether read
    int n_wrong = 0;
    for (; copy != whole.copies.end() && copy->dst == patch.fine; ++copy)
      for_each(copy->region, [&](const Index<D>& cell) {
        ++view[0, cell];
        n_wrong += testing::wrapped(geometry, coarse_level, cell) != cell + copy->shift;
        n_wrong += testing::holder(geometry, coarse_level, cell + copy->shift) != copy->src;
      });
    for (const Box<D>& region : patch.regions)
      for_each(region, [&](const Index<D>& fine_cell) {
        const Index<D> below = floor_div(fine_cell, geometry.ratio(coarse_level));
        for_each(Box<D>{below, below + Index<D>::filled(1)}.grown(reach),
                 [&](const Index<D>& cell) { view[1, cell] = 1; });
      });
    for_each(patch.patch, [&](const Index<D>& cell) {
      const bool is_inside = testing::wrapped(geometry, coarse_level, cell).has_value();
      n_wrong += view[0, cell] > is_inside;
      n_wrong += view[1, cell] == 1 && view[0, cell] != is_inside;
    });
    EXPECT_EQ(n_wrong, 0) << "cells of the patch of block " << patch.fine.code;
  }
  EXPECT_EQ(copy, whole.copies.end());
}

// The regions of a block are its ghost cells that are inside the domain and that no block has.
template <int D>
void expect_regions(const testing::World<D>& world, int level, const Whole<D>& whole) {
  const mesh::Geometry<D>& geometry = world.geometry();
  auto patch = whole.patches.begin();
  for (const mesh::Key<D>& key : world.keys) {
    if (key.level != level) continue;
    const Box<D> all = geometry.cells(key).grown(testing::options(world, level).n_ghosts);
    std::vector<int> counts(View<int, D>::size_of(all, 1));
    const View<int, D> n_listed(counts.data(), all, 1);
    if (patch != whole.patches.end() && patch->fine == key) {
      for (const Box<D>& region : patch->regions)
        for_each(region, [&](const Index<D>& cell) { ++n_listed[0, cell]; });
      ++patch;
    }
    int n_wrong = 0;
    for_each(all, [&](const Index<D>& cell) {
      const auto source = testing::wrapped(geometry, level, cell);
      const int expected =
          source && !world.keys.contains(testing::holder(geometry, level, *source));
      n_wrong += n_listed[0, cell] != expected;
    });
    EXPECT_EQ(n_wrong, 0) << "cells of block " << key.code;
  }
  EXPECT_EQ(patch, whole.patches.end());
}

template <int D>
Whole<D> plan_all_ghosts(const testing::World<D>& world, int level) {
  const PlanOptions options = testing::options(world, level);
  std::vector<CoarsePlan<D>> plans;
  for (std::size_t q = 0; q < world.forests.size(); ++q)
    plans.push_back(plan_coarse_ghosts(world.forests[q], world.neighbours[q], options));
  return join(plans, world, options.max_comm_tasks);
}

template <int D>
void expect_ghosts() {
  testing::for_worlds<D>(
      1, plan_all_ghosts<D>, [](const testing::World<D>& world, int level, const Whole<D>& whole) {
        expect_regions(world, level, whole);
        expect_footprints(world, whole, testing::options(world, level).coarse_reach);
      });
}

TEST(CoarsePlan, prolongs_each_ghost_cell_that_no_neighbour_has_once_1d) {
  expect_ghosts<1>();
}
TEST(CoarsePlan, prolongs_each_ghost_cell_that_no_neighbour_has_once_2d) {
  expect_ghosts<2>();
}
TEST(CoarsePlan, prolongs_each_ghost_cell_that_no_neighbour_has_once_3d) {
  expect_ghosts<3>();
}

template <int D>
std::vector<mesh::Key<D>> some_keys(const testing::World<D>& world, int level) {
  std::vector<mesh::Key<D>> some;
  for (const mesh::Key<D>& key : world.keys)
    if (key.level == level && key.code % 3 == 0) some.push_back(key);
  return some;
}

PlanOptions interior_options(int level) {
  return {.level = level, .max_comm_tasks = 0, .coarse_reach = level == 1 ? 2 : 0};
}

template <int D>
Whole<D> plan_all_interiors(const testing::World<D>& world, int level) {
  const PlanOptions options = interior_options(level);
  const int n_ranks = static_cast<int>(world.forests.size());
  const auto plans = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const mesh::Forest<D>& forest = world.forests[rank()];
    std::vector<mesh::Key<D>> mine;
    for (const mesh::Key<D>& key : some_keys(world, level))
      if (forest.has(key)) mine.push_back(key);
    const auto asked = collectives.exchange(send_new_blocks<D>(forest, mine, options));
    return plan_coarse_interior<D>(forest, mine, asked, options);
  });
  return join(plans, world, options.max_comm_tasks);
}

template <int D>
void expect_interiors() {
  testing::for_worlds<D>(1, plan_all_interiors<D>,
                         [](const testing::World<D>& world, int level, const Whole<D>& whole) {
                           const auto keys = some_keys(world, level);
                           ASSERT_EQ(whole.patches.size(), keys.size());
                           for (std::size_t i = 0; i < keys.size(); ++i) {
                             EXPECT_EQ(whole.patches[i].fine, keys[i]);
                             EXPECT_EQ(whole.patches[i].regions,
                                       std::vector{world.geometry().cells(keys[i])});
                           }
                           expect_footprints(world, whole, interior_options(level).coarse_reach);
                         });
}

TEST(CoarsePlan, brings_all_that_new_blocks_are_made_of_1d) {
  expect_interiors<1>();
}
TEST(CoarsePlan, brings_all_that_new_blocks_are_made_of_2d) {
  expect_interiors<2>();
}
TEST(CoarsePlan, brings_all_that_new_blocks_are_made_of_3d) {
  expect_interiors<3>();
}

TEST(CoarsePlan, roots_have_nothing_coarser) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  EXPECT_THROW(plan_coarse_ghosts(world.forests[0], world.neighbours[0], {}), ContractViolation);
  EXPECT_THROW(plan_coarse_interior<1>(world.forests[0], {}, {}, {}), ContractViolation);
}

TEST(CoarsePlan, wants_new_blocks_in_their_order) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  auto keys = world.forests[0].level(1).keys;
  ASSERT_GT(keys.size(), 1u);
  std::ranges::reverse(keys);
  EXPECT_THROW(plan_coarse_interior<1>(world.forests[0], keys, {}, interior_options(1)),
               ContractViolation);
  EXPECT_THROW(plan_coarse_interior_points<1>(world.forests[0], keys, {}, Centring<1>::node(),
                                              interior_options(1)),
               ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
