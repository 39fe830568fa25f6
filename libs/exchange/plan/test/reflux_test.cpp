// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/reflux.hpp>

#include <tuple>

#include <gtest/gtest.h>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

// A fine block's face, and one coarse cell beyond it.
template <int D>
using Correction = std::tuple<mesh::Key<D>, int, int, mesh::Key<D>, Index<D>>;

// Look out of every fine face cell: is there the domain, and no fine block?
template <int D>
std::set<Correction<D>> corrections_slowly(const testing::World<D>& world, int level) {
  const mesh::Geometry<D>& geometry = world.geometry();
  std::set<Correction<D>> found;
  for (const mesh::Key<D>& key : world.keys) {
    if (key.level != level) continue;
    for (int axis = 0; axis < D; ++axis)
      for (int side = 0; side < 2; ++side) {
        Box<D> outside = geometry.cells(key);
        outside.lo[axis] = side == 0 ? outside.lo[axis] - 1 : outside.hi[axis];
        outside.hi[axis] = outside.lo[axis] + 1;
        for_each(outside, [&](const Index<D>& i) {
          const auto cell = testing::wrapped(geometry, level, i);
          if (!cell || world.keys.contains(testing::holder(geometry, level, *cell))) return;
          const Index<D> coarse = floor_div(*cell, geometry.ratio(level - 1));
          found.emplace(testing::holder(geometry, level - 1, coarse), axis, side, key, coarse);
        });
      }
  }
  return found;
}

template <int D>
std::vector<Correction<D>> corrections_of(const std::vector<FluxPatch<D>>& patches) {
  std::vector<Correction<D>> all;
  for (const FluxPatch<D>& patch : patches)
    for_each(patch.region, [&](const Index<D>& cell) {
      all.emplace_back(patch.coarse, patch.axis, patch.side, patch.fine, cell);
    });
  return all;
}

template <int D>
std::vector<FluxPatch<D>> patches_of(const std::vector<FluxMessage<D>>& messages, Rank peer) {
  std::vector<FluxPatch<D>> all;
  for (const FluxMessage<D>& message : messages) {
    std::int64_t n_cells = 0;
    for (const FluxPatch<D>& patch : message.patches) n_cells += patch.n_cells();
    EXPECT_EQ(message.n_cells, n_cells);
    if (message.peer == peer) all.insert(all.end(), message.patches.begin(), message.patches.end());
  }
  return all;
}

template <int D>
void expect_sides_agree(const std::vector<RefluxPlan<D>>& plans, const testing::World<D>& world) {
  for (std::size_t me = 0; me < plans.size(); ++me) {
    std::vector<FluxPatch<D>> produced = plans[me].locals;
    std::vector<FluxPatch<D>> consumed = plans[me].locals;
    for (std::size_t peer = 0; peer < plans.size(); ++peer) {
      std::vector<FluxMessage<D>> sent;
      std::vector<FluxMessage<D>> received;
      for (FluxMessage<D> m : plans[me].sends)
        if (m.peer == Rank(peer)) sent.push_back({Rank(0), m.patches, m.n_cells});
      for (FluxMessage<D> m : plans[peer].recvs)
        if (m.peer == Rank(me)) received.push_back({Rank(0), m.patches, m.n_cells});
      EXPECT_EQ(sent, received);
      const auto out = patches_of(plans[me].sends, Rank(peer));
      produced.insert(produced.end(), out.begin(), out.end());
      const auto in = patches_of(plans[me].recvs, Rank(peer));
      consumed.insert(consumed.end(), in.begin(), in.end());
    }
    std::sort(produced.begin(), produced.end());
    std::sort(consumed.begin(), consumed.end());
    EXPECT_EQ(plans[me].produced, produced);
    EXPECT_EQ(plans[me].consumed, consumed);
    for (const FluxPatch<D>& patch : produced) EXPECT_TRUE(world.forests[me].has(patch.fine));
    for (const FluxPatch<D>& patch : consumed) EXPECT_TRUE(world.forests[me].has(patch.coarse));
  }
}

template <int D>
std::vector<FluxPatch<D>> plan_fluxes(const testing::World<D>& world, int level) {
  const PlanOptions options = testing::options(world, level);
  std::vector<RefluxPlan<D>> plans;
  std::vector<FluxPatch<D>> consumed;
  for (std::size_t q = 0; q < world.forests.size(); ++q) {
    plans.push_back(plan_reflux(world.forests[q], world.neighbours[q], options));
    EXPECT_TRUE(std::is_sorted(plans[q].consumed.begin(), plans[q].consumed.end()));
    consumed.insert(consumed.end(), plans[q].consumed.begin(), plans[q].consumed.end());
  }
  expect_sides_agree(plans, world);
  std::sort(consumed.begin(), consumed.end());
  return consumed;
}

template <int D>
void expect_fluxes() {
  testing::for_worlds<D>(
      1, plan_fluxes<D>,
      [](const testing::World<D>& world, int level, const std::vector<FluxPatch<D>>& consumed) {
        const auto corrections = corrections_of(consumed);
        const std::set<Correction<D>> unique(corrections.begin(), corrections.end());
        EXPECT_EQ(unique.size(), corrections.size());
        EXPECT_EQ(unique, corrections_slowly(world, level));
      });
}

TEST(RefluxPlan, corrects_each_coarse_cell_beside_a_fine_face_1d) {
  expect_fluxes<1>();
}
TEST(RefluxPlan, corrects_each_coarse_cell_beside_a_fine_face_2d) {
  expect_fluxes<2>();
}
TEST(RefluxPlan, corrects_each_coarse_cell_beside_a_fine_face_3d) {
  expect_fluxes<3>();
}

TEST(RefluxPlan, roots_have_nothing_coarser) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  EXPECT_THROW(plan_reflux(world.forests[0], world.neighbours[0], {}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
