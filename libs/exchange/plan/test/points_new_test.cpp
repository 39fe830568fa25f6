// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/points.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>

#include "points_oracle.hpp"

// What is planned for blocks that a regrid makes.

namespace thalweg::exchange {
namespace {

using testing::at;
using testing::ledger_of;
using testing::owner_of;

/// What one rank plans for the blocks of all levels that a second regrid makes.
template <int D>
struct Renewed {
  mesh::Forest<D> old_forest;
  mesh::Forest<D> forest;
  std::vector<mesh::Key<D>> new_blocks;  ///< of all levels
  std::vector<Transfers<D>> kept;        ///< by level
  std::vector<Transfers<D>> moved;       ///< by level
};

template <int D>
std::vector<Renewed<D>> renew(const testing::Case<D>& c, int n_ranks, const Centring<D>& centring) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    Renewed<D> result;
    result.old_forest = mesh::testing::random_forest(c, rank, n_ranks, collectives);
    result.forest =
        mesh::regrid<D>(result.old_forest,
                        mesh::testing::random_wanted(result.old_forest, c.seed + 98), collectives);
    const auto neighbours = mesh::find_neighbour_info(result.forest, collectives);
    const auto claims = exchange_claims(result.old_forest, result.forest, collectives);
    const auto wanted = [](int level) { return PlanOptions{.level = level, .max_comm_tasks = 2}; };
    for (int l = 0; l < result.forest.n_levels(); ++l) {
      const auto move = plan_move(result.old_forest, result.forest, claims, wanted(l));
      result.new_blocks.insert(result.new_blocks.end(), move.new_blocks.begin(),
                               move.new_blocks.end());
      result.moved.push_back(move_points(move, centring).transfers);
    }
    const auto told =
        collectives.exchange(send_new_neighbours<D>(result.forest, neighbours, result.new_blocks));
    for (int l = 0; l < result.forest.n_levels(); ++l)
      result.kept.push_back(
          plan_old_points(result.forest, neighbours, told, centring, wanted(l)).transfers);
    return result;
  });
}

/// What all ranks plan, level by level.
template <int D>
struct All {
  std::set<mesh::Key<D>> old_keys;  ///< of blocks that both forests have
  std::set<mesh::Key<D>> new_keys;
  std::vector<std::vector<Copy<D>>> kept;  ///< by level
};

// Lists of moves are those of cells, with all points.
template <int D>
All<D> expect_matching(const std::vector<Renewed<D>>& ranks, const Centring<D>& centring) {
  All<D> all;
  std::vector<mesh::Forest<D>> before;
  std::vector<mesh::Forest<D>> after;
  for (const auto& rank : ranks) {
    before.push_back(rank.old_forest);
    after.push_back(rank.forest);
    all.new_keys.insert(rank.new_blocks.begin(), rank.new_blocks.end());
  }
  for (int l = 0; l < after[0].n_levels(); ++l) {
    std::vector<Transfers<D>> kept;
    std::vector<Transfers<D>> moved;
    for (const auto& rank : ranks) {
      kept.push_back(rank.kept[at(l)]);
      moved.push_back(rank.moved[at(l)]);
    }
    testing::expect_matching(kept, after, after, 2);
    testing::expect_matching(moved, before, after, 2);
    all.kept.push_back(testing::all_copies(kept));
    for (const auto& copy : testing::all_copies(moved)) {
      EXPECT_EQ(copy.region, centring.points(after[0].geometry.cells(copy.dst)));
      all.old_keys.insert(copy.dst);
    }
  }
  return all;
}

template <int D>
int n_wrong_kept(const mesh::Geometry<D>& geometry, const Centring<D>& centring,
                 const All<D>& all) {
  int n_wrong = 0;
  for (const auto& key : all.new_keys) {
    const Box<D> points = centring.points(geometry.cells(key));
    const auto got = ledger_of(points, all.kept[at(key.level)], key);
    for_each(points, [&](const Index<D>& i) {
      const auto kept_by = owner_of(geometry, all.old_keys, key.level, centring, i);
      n_wrong += got.count(i) != (kept_by ? 1 : 0) || (kept_by && *kept_by != got.where(i));
    });
  }
  for (const auto& of_level : all.kept)
    for (const auto& copy : of_level) n_wrong += !all.new_keys.contains(copy.dst);
  return n_wrong;
}

template <int D>
void expect_kept(const Centring<D>& centring) {
  std::size_t n_copies = 0;
  for (const auto& c : testing::cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c);
    const auto alone = expect_matching(renew(c, 1, centring), centring);
    EXPECT_EQ(n_wrong_kept(mesh::Geometry<D>(c.geometry), centring, alone), 0);
    for (const auto& copies : alone.kept) n_copies += copies.size();
    EXPECT_EQ(expect_matching(renew(c, 3, centring), centring).kept, alone.kept);
  }
  EXPECT_GT(n_copies, 0u);
}

TEST(NewPointPlans, take_the_points_that_kept_neighbours_have_1d) {
  expect_kept(Centring<1>::node());
}
TEST(NewPointPlans, take_the_points_that_kept_neighbours_have_2d) {
  expect_kept(Centring<2>::node());
  expect_kept(Centring<2>::face(0));
}
TEST(NewPointPlans, take_the_points_that_kept_neighbours_have_3d) {
  expect_kept(Centring<3>::face(2));
}

/// What blocks are to be made of, if every third one of a level is new.
template <int D>
struct Interiors {
  std::vector<testing::PatchAndRegions<D>> patches;
  std::vector<Copy<D>> coarse;

  bool operator==(const Interiors&) const = default;
};

template <int D>
bool is_taken_for_new(const mesh::Key<D>& key) {
  return key.level > 0 && key.code % 3 == 0;
}

template <int D>
Interiors<D> plan_interiors(const testing::World<D>& world, int level,
                            const Centring<D>& centring) {
  const auto wanted = [](int l) {
    return PlanOptions{.level = l, .n_ghosts = 0, .max_comm_tasks = 2, .coarse_reach = 1};
  };
  const int n_ranks = static_cast<int>(world.forests.size());
  const auto plans = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const mesh::Forest<D>& forest = world.forests[rank()];
    std::vector<mesh::Key<D>> mine;
    mesh::Messages<mesh::Key<D>> out;  // all levels in one round: each takes what concerns it
    for (int l = 1; l < world.n_levels(); ++l) {
      std::vector<mesh::Key<D>> of_level;
      for (const mesh::Key<D>& key : forest.level(l).keys)
        if (is_taken_for_new(key)) of_level.push_back(key);
      const auto some = send_new_blocks<D>(forest, of_level, wanted(l));
      out.insert(out.end(), some.begin(), some.end());
      if (l == level) mine = of_level;
    }
    return plan_coarse_interior_points<D>(forest, mine, collectives.exchange(out), centring,
                                          wanted(level));
  });
  Interiors<D> all;
  std::vector<Transfers<D>> transfers;
  for (const auto& plan : plans) {
    testing::append_patches(all.patches, plan);
    transfers.push_back(plan.transfers);
  }
  std::ranges::sort(all.patches, {}, &testing::PatchAndRegions<D>::fine);
  testing::expect_matching(transfers, world.forests, world.forests, 2);
  all.coarse = testing::all_copies(transfers);
  return all;
}

template <int D>
void expect_interiors(const Centring<D>& centring) {
  testing::for_worlds<D>(
      1,
      [&](const testing::World<D>& world, int level) {
        return plan_interiors(world, level, centring);
      },
      [&](const testing::World<D>& world, int level, const Interiors<D>& all) {
        std::vector<mesh::Key<D>> planned;
        for (const auto& patch : all.patches) {
          planned.push_back(patch.fine);
          EXPECT_EQ(patch.regions,
                    std::vector{centring.points(world.geometry().cells(patch.fine))});
        }
        std::vector<mesh::Key<D>> expected;
        for (const auto& key : world.keys)
          if (key.level == level && is_taken_for_new(key)) expected.push_back(key);
        EXPECT_EQ(planned, expected);
        EXPECT_EQ(n_wrong_footprints(world, level, centring, all.patches, all.coarse), 0);
      });
}

TEST(NewPointPlans, bring_all_that_new_blocks_are_made_of_1d) {
  expect_interiors(Centring<1>::node());
}
TEST(NewPointPlans, bring_all_that_new_blocks_are_made_of_2d) {
  expect_interiors(Centring<2>::node());
  expect_interiors(Centring<2>::face(1));
}
TEST(NewPointPlans, bring_all_that_new_blocks_are_made_of_3d) {
  expect_interiors(Centring<3>::face(0));
}

TEST(NewPointPlans, of_roots_are_a_broken_contract) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  EXPECT_THROW(plan_coarse_interior_points<1>(world.forests[0], {}, {}, Centring<1>::node(), {}),
               ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
