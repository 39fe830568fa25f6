// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/restrict.hpp>

#include <gtest/gtest.h>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

// Each fine block gives its parent the cells below it.
template <int D>
std::vector<Copy<D>> copies_slowly(const testing::World<D>& world, int level) {
  const mesh::Geometry<D>& geometry = world.geometry();
  std::vector<Copy<D>> copies;
  for (const mesh::Key<D>& key : world.keys) {
    if (key.level != level) continue;
    Box<D> below{};
    for_each(geometry.cells(key), [&](const Index<D>& cell) {
      const Index<D> coarse = floor_div(cell, geometry.ratio(level - 1));
      below = bounding(below, Box<D>{coarse, coarse + Index<D>::filled(1)});
    });
    copies.push_back({key, testing::holder(geometry, level - 1, below.lo), below, {}});
  }
  std::sort(copies.begin(), copies.end());
  return copies;
}

template <int D>
std::vector<Copy<D>> plan_restricted(const testing::World<D>& world, int level) {
  const PlanOptions options = testing::options(world, level);
  std::vector<Transfers<D>> by_rank;
  for (std::size_t q = 0; q < world.forests.size(); ++q)
    by_rank.push_back(plan_restrict(world.forests[q], world.neighbours[q], options).transfers);
  testing::expect_matching(by_rank, world.forests, world.forests, options.max_comm_tasks);
  return testing::all_copies(by_rank);
}

template <int D>
void expect_restricted() {
  testing::for_worlds<D>(
      1, plan_restricted<D>,
      [](const testing::World<D>& world, int level, const std::vector<Copy<D>>& copies) {
        EXPECT_EQ(copies, copies_slowly(world, level));
        for (const Copy<D>& copy : copies)
          EXPECT_TRUE(world.geometry().cells(copy.dst).contains(copy.region));
      });
}

TEST(RestrictPlan, gives_each_parent_what_lies_over_it_1d) {
  expect_restricted<1>();
}
TEST(RestrictPlan, gives_each_parent_what_lies_over_it_2d) {
  expect_restricted<2>();
}
TEST(RestrictPlan, gives_each_parent_what_lies_over_it_3d) {
  expect_restricted<3>();
}

TEST(RestrictPlan, roots_have_nothing_coarser) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  EXPECT_THROW(plan_restrict(world.forests[0], world.neighbours[0], {}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
