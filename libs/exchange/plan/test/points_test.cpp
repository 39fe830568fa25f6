// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/points.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/random.hpp>

#include "points_oracle.hpp"

namespace thalweg::exchange {
namespace {

using testing::ledger_of;
using testing::owner_of;
using testing::PatchAndRegions;
using testing::Place;

/// What all ranks plan for one level.
template <int D>
struct Plans {
  std::vector<Copy<D>> ghosts;
  std::vector<PatchAndRegions<D>> patches;
  std::vector<Copy<D>> coarse;
  std::vector<Copy<D>> restricted;

  bool operator==(const Plans&) const = default;
};

template <int D>
PlanOptions options(int level) {
  return {
      .level = level, .n_ghosts = D == 3 ? 2 : std::max(0, 6 - 3 * level), .max_comm_tasks = level};
}

template <int D>
Plans<D> plan_points(const testing::World<D>& world, int level, const Centring<D>& centring) {
  const PlanOptions wanted = options<D>(level);
  std::vector<Transfers<D>> ghosts;
  std::vector<Transfers<D>> coarse;
  std::vector<Transfers<D>> restricted;
  Plans<D> plans;
  for (std::size_t q = 0; q < world.forests.size(); ++q) {
    const auto& forest = world.forests[q];
    const auto& neighbours = world.neighbours[q];
    ghosts.push_back(plan_ghost_points(forest, neighbours, centring, wanted).transfers);
    if (level == 0) continue;
    const auto plan = plan_coarse_ghost_points(forest, neighbours, centring, wanted);
    coarse.push_back(plan.transfers);
    testing::append_patches(plans.patches, plan);
    restricted.push_back(plan_restrict_points(forest, neighbours, centring, wanted).transfers);
  }
  std::ranges::sort(plans.patches, {}, &PatchAndRegions<D>::fine);
  for (auto* all : {&ghosts, &coarse, &restricted})
    if (!all->empty())
      testing::expect_matching(*all, world.forests, world.forests, wanted.max_comm_tasks);
  plans.ghosts = testing::all_copies(ghosts);
  plans.coarse = testing::all_copies(coarse);
  plans.restricted = testing::all_copies(restricted);
  return plans;
}

// Each point of a block and its ghosts comes once from its owner; or is interpolated once, if the
// level does not have it; or is the block's own, or outside.
template <int D>
int n_wrong_ghosts(const testing::World<D>& world, int level, const Centring<D>& centring,
                   const Plans<D>& plans, const mesh::Key<D>& key) {
  const auto& geometry = world.geometry();
  const Box<D> own = centring.points(geometry.cells(key));
  const Box<D> all = own.grown(options<D>(level).n_ghosts);
  const auto copied = ledger_of(all, plans.ghosts, key);
  testing::Ledger<D> interpolated(all);
  for (const auto& patch :
       std::ranges::equal_range(plans.patches, key, {}, &PatchAndRegions<D>::fine))
    for (const Box<D>& region : patch.regions) interpolated.enter(region);
  int n_wrong = 0;
  for_each(all, [&](const Index<D>& i) {
    const auto owner = owner_of(geometry, world.keys, level, centring, i);
    const bool is_own = owner == Place<D>{key, i};
    n_wrong += copied.count(i) != (owner && !is_own ? 1 : 0);
    if (copied.count(i) == 1) n_wrong += owner != copied.where(i);
    n_wrong += interpolated.count(i) !=
               (!owner && testing::is_in_domain(geometry, level, centring, i) ? 1 : 0);
  });
  return n_wrong;
}

// Each coarse point that lies on fine ones gets their value once, from owner to owner.
template <int D>
int n_wrong_restricted(const testing::World<D>& world, int level, const Centring<D>& centring,
                       const Plans<D>& plans, const mesh::Key<D>& coarse) {
  const auto& geometry = world.geometry();
  const Box<D> points = centring.points(geometry.cells(coarse));
  const auto got = ledger_of(points, plans.restricted, coarse);
  const int ratio = geometry.ratio(level - 1);
  int n_wrong = 0;
  for_each(points, [&](const Index<D>& i) {
    const bool is_own =
        owner_of(geometry, world.keys, level - 1, centring, i) == Place<D>{coarse, i};
    const auto fine = owner_of(geometry, world.keys, level, centring, i * ratio);
    n_wrong += got.count(i) != (is_own && fine ? 1 : 0);
    if (got.count(i) == 1)
      n_wrong += fine != Place<D>{got.where(i).block, got.where(i).point * ratio};
  });
  return n_wrong;
}

template <int D>
void expect_right(const testing::World<D>& world, int level, const Centring<D>& centring,
                  const Plans<D>& plans) {
  for (const auto& key : world.keys) {
    if (key.level == level) {
      EXPECT_EQ(n_wrong_ghosts(world, level, centring, plans, key), 0)
          << "ghosts of block " << key.code;
    }
    if (key.level == level - 1) {
      EXPECT_EQ(n_wrong_restricted(world, level, centring, plans, key), 0)
          << "coarse points of block " << key.code;
    }
  }
  EXPECT_EQ(n_wrong_footprints(world, level, centring, plans.patches, plans.coarse), 0);
}

template <int D>
void expect_points(const Centring<D>& centring) {
  testing::for_worlds<D>(
      0,
      [&](const testing::World<D>& world, int level) {
        return plan_points(world, level, centring);
      },
      [&](const testing::World<D>& world, int level, const Plans<D>& plans) {
        expect_right(world, level, centring, plans);
      });
}

// Small forests with any blocks and centring, on 1 to 3 ranks and with any partitioner.
template <int D>
void expect_planned_in_random_forests(std::uint64_t n_worlds) {
  for (std::uint64_t seed = 1; seed <= n_worlds; ++seed) {
    SplitMix64 random(seed);
    const auto below = [&](int n) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    };
    testing::Case<D> c;
    c.seed = seed;
    c.partitioner = static_cast<mesh::Partitioner>(below(4));
    c.geometry.ratio = below(D == 2 ? 3 : 12) == 0 ? 4 : 2;
    c.geometry.max_level = c.geometry.ratio == 2 && D == 2 ? 1 + below(2) : 1;
    Centring<D> centring;
    for (int a = 0; a < D; ++a) {
      c.geometry.root_blocks[a] = 1 + below(D == 2 ? 4 : 2);
      c.geometry.periodic[a] = below(2) == 0;
      c.geometry.block_cells[a] = below(6) == 0 ? 12 : 8;
      centring.between[a] = below(3) > 0;
    }
    SCOPED_TRACE(::testing::Message() << c);
    const auto world = testing::make_world(c, 1 + below(3));
    for (int level = 0; level < world.n_levels(); ++level)
      expect_right(world, level, centring, plan_points(world, level, centring));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PointPlans, fill_each_point_once_in_600_random_forests_2d) {
  expect_planned_in_random_forests<2>(600);
}
TEST(PointPlans, fill_each_point_once_in_60_random_forests_3d) {
  expect_planned_in_random_forests<3>(60);
}
TEST(PointPlans, fill_each_point_once_from_its_owner_1d) {
  expect_points(Centring<1>::node());
}
TEST(PointPlans, fill_each_node_once_from_its_owner_2d) {
  expect_points(Centring<2>::node());
}
TEST(PointPlans, fill_each_face_once_from_its_owner_2d) {
  expect_points(Centring<2>::face(0));
  expect_points(Centring<2>::face(1));
}
TEST(PointPlans, fill_each_edge_once_from_its_owner_3d) {
  expect_points(Centring<3>{{{true, false, true}}});
}

TEST(PointPlans, are_those_of_cells_where_points_are_cells) {
  const auto world = testing::make_world(testing::cases<2>()[2], 1);
  const PlanOptions wanted{.level = 1, .n_ghosts = 2};
  const auto cells = Centring<2>::cell();
  EXPECT_EQ(plan_ghost_points(world.forests[0], world.neighbours[0], cells, wanted),
            plan_ghost(world.forests[0], world.neighbours[0], wanted));
  EXPECT_EQ(plan_restrict_points(world.forests[0], world.neighbours[0], cells, wanted),
            plan_restrict(world.forests[0], world.neighbours[0], wanted));
}

// All that a block gets of another is one box, whatever pieces it was found by.
TEST(PointPlans, bring_one_box_from_each_neighbour_of_a_mesh_of_one_level) {
  const auto expect_few = []<int D>(const Centring<D>& centring) {
    testing::Case<D> c;
    c.geometry.root_blocks = Index<D>::filled(3);
    c.geometry.block_cells = 8;
    c.geometry.max_level = 0;
    c.geometry.periodic = BasicVec<bool, D>::filled(true);
    const auto world = testing::make_world(c, 1);
    const auto plan = plan_ghost_points(world.forests[0], world.neighbours[0], centring,
                                        {.level = 0, .n_ghosts = 2});
    EXPECT_EQ(plan.transfers.locals.size(), world.keys.size() * (mesh::n_offsets<D> - 1));
  };
  expect_few(Centring<1>::node());
  expect_few(Centring<2>::node());
  expect_few(Centring<2>::face(1));
  expect_few(Centring<3>::node());
}

// A fine block gives the coarse points it owns as one box, and lacks as many as it has axes: level
// 1 is around one corner of a coarse mesh, so on each axis one side of a block is where it ends.
TEST(PointPlans, restrict_and_interpolate_few_boxes) {
  const auto expect_few = []<int D>(const Centring<D>& centring) {
    const mesh::Geometry<D> geometry(
        {.root_blocks = Index<D>::filled(4), .block_cells = 8, .max_level = 1});
    mesh::testing::OneRank alone;
    const auto roots = mesh::initial_forest(geometry, Rank(0), 1);
    std::vector<mesh::Key<D>> wanted;
    for_each(Box<D>{Index<D>::filled(3), Index<D>::filled(5)},
             [&](const Index<D>& i) { wanted.push_back(mesh::key_at(1, i)); });
    const auto forest = mesh::regrid<D>(roots, wanted, alone);
    const auto neighbours = mesh::find_neighbour_info(forest, alone);
    const PlanOptions options{.level = 1, .n_ghosts = 2};

    const auto restricted = plan_restrict_points(forest, neighbours, centring, options);
    for (const mesh::Key<D>& key : wanted)
      EXPECT_EQ(std::ranges::count(restricted.transfers.locals, key, &Copy<D>::src), 1);
    const auto coarse = plan_coarse_ghost_points(forest, neighbours, centring, options);
    EXPECT_EQ(coarse.patches.size(), wanted.size());
    for (const auto& patch : coarse.patches) EXPECT_EQ(coarse.regions_of(patch).size(), D);
  };
  expect_few(Centring<1>::node());
  expect_few(Centring<2>::node());
  expect_few(Centring<2>::face(1));
  expect_few(Centring<3>::node());
}

TEST(PointPlans, stale_neighbours_are_a_broken_contract) {
  auto world = testing::make_world(testing::cases<1>().front(), 1);
  const auto plan = [&] {
    return plan_ghost_points(world.forests[0], world.neighbours[0], Centring<1>::node(), {});
  };
  ++world.forests[0].revision;
  EXPECT_THROW(plan(), ContractViolation);
  world.neighbours[0].revision = world.forests[0].revision + 1;
  EXPECT_THROW(plan(), ContractViolation);
}

TEST(PointPlans, ghosts_beyond_the_neighbours_are_a_broken_contract) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  const auto plan = [&](const PlanOptions& wanted) {
    return plan_ghost_points(world.forests[0], world.neighbours[0], Centring<1>::node(), wanted);
  };
  EXPECT_THROW(plan({.n_ghosts = 8}), ContractViolation);
  EXPECT_THROW(plan({.n_ghosts = -1}), ContractViolation);
  EXPECT_THROW(plan({.level = 7}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
