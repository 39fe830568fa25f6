// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/points.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/core/view.hpp>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

using testing::at;

/// Where a value is kept: a block, and the point's index there.
template <int D>
struct Place {
  mesh::Key<D> block;
  Index<D> point;

  bool operator==(const Place&) const = default;
};

/// Call f(cell) for the cells that have a point, in the order in which they own it.
template <int D, class F>
void for_each_cell_at(const Centring<D>& centring, const Index<D>& point, F&& f) {
  for_each(Box<D>::cube(2), [&](const Index<D>& below) {
    for (int a = 0; a < D; ++a)
      if (below[a] != 0 && !centring.between[a]) return;
    f(point - below);
  });
}

/// Who owns a point of a level, of the keys there are; found out from its cells alone.
template <int D, class Keys>
std::optional<Place<D>> owner_of(const mesh::Geometry<D>& geometry, const Keys& keys, int level,
                                 const Centring<D>& centring, const Index<D>& point) {
  std::optional<Place<D>> owner;
  for_each_cell_at(centring, point, [&](const Index<D>& cell) {
    const auto inside = testing::wrapped(geometry, level, cell);
    if (owner || !inside) return;
    const auto block = testing::holder(geometry, level, *inside);
    if (keys.contains(block)) owner = Place<D>{block, point + (*inside - cell)};
  });
  return owner;
}

template <int D>
bool is_in_domain(const mesh::Geometry<D>& geometry, int level, const Centring<D>& centring,
                  const Index<D>& point) {
  bool is_inside = false;
  for_each_cell_at(centring, point, [&](const Index<D>& cell) {
    is_inside = is_inside || testing::wrapped(geometry, level, cell).has_value();
  });
  return is_inside;
}

/// Counts how often each point of a box is mentioned, and for a copy from where.
template <int D>
class Ledger {
 public:
  explicit Ledger(const Box<D>& box)
      : counts_(View<int, D>::size_of(box, 1)),
        places_(counts_.size()),
        n_(counts_.data(), box, 1),
        where_(places_.data(), box, 1) {}

  void enter(const Copy<D>& copy) {
    for_each(copy.region, [&](const Index<D>& i) {
      ++n_[0, i];
      where_[0, i] = {copy.src, i + copy.shift};
    });
  }
  void enter(const Box<D>& region) {
    for_each(region, [&](const Index<D>& i) { ++n_[0, i]; });
  }
  int count(const Index<D>& i) const { return n_[0, i]; }
  const Place<D>& where(const Index<D>& i) const { return where_[0, i]; }

 private:
  std::vector<int> counts_;
  std::vector<Place<D>> places_;
  View<int, D> n_;
  View<Place<D>, D> where_;
};

/// A patch of the coarser level, with its regions.
template <int D>
struct PatchAndRegions {
  mesh::Key<D> fine;
  Box<D> patch;
  std::vector<Box<D>> regions;

  bool operator==(const PatchAndRegions&) const = default;
};

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
      .level = level, .n_ghost = D == 3 ? 2 : std::max(0, 6 - 3 * level), .max_comm_tasks = level};
}

template <int D>
Plans<D> plan_all(const testing::World<D>& world, int level, const Centring<D>& centring) {
  const PlanOptions wanted = options<D>(level);
  std::vector<Transfers<D>> ghosts;
  std::vector<Transfers<D>> coarse;
  std::vector<Transfers<D>> restricted;
  Plans<D> plans;
  for (std::size_t q = 0; q < world.forests.size(); ++q) {
    const auto& forest = world.forests[q];
    const auto& near = world.near[q];
    ghosts.push_back(plan_ghost_points(forest, near, centring, wanted).transfers);
    if (level == 0) continue;
    const auto plan = plan_coarse_ghost_points(forest, near, centring, wanted);
    coarse.push_back(plan.transfers);
    for (const CoarsePatch<D>& patch : plan.patches) {
      const auto regions = plan.regions_of(patch);
      plans.patches.push_back({patch.fine, patch.patch, {regions.begin(), regions.end()}});
    }
    restricted.push_back(plan_restrict_points(forest, near, centring, wanted).transfers);
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

/// The part of a sorted list of copies that goes to one block.
template <int D>
Ledger<D> ledger_of(const Box<D>& box, const std::vector<Copy<D>>& copies,
                    const mesh::Key<D>& block) {
  Ledger<D> ledger(box);
  for (const auto& copy : std::ranges::equal_range(copies, block, {}, &Copy<D>::dst))
    ledger.enter(copy);
  return ledger;
}

// Each point of a block and its ghosts comes once from its owner; or is interpolated once, if the
// level does not have it; or is the block's own, or outside.
template <int D>
int n_wrong_ghosts(const testing::World<D>& world, int level, const Centring<D>& centring,
                   const Plans<D>& plans, const mesh::Key<D>& key) {
  const auto& geometry = world.geometry();
  const Box<D> own = centring.points(geometry.cells(key));
  const Box<D> all = own.grown(options<D>(level).n_ghost);
  const auto copied = ledger_of(all, plans.ghosts, key);
  Ledger<D> interpolated(all);
  for (const auto& patch :
       std::ranges::equal_range(plans.patches, key, {}, &PatchAndRegions<D>::fine))
    for (const Box<D>& region : patch.regions) interpolated.enter(region);
  int n_wrong = 0;
  for_each(all, [&](const Index<D>& i) {
    const auto owner = owner_of(geometry, world.keys, level, centring, i);
    const bool is_own = owner == Place<D>{key, i};
    n_wrong += copied.count(i) != (owner && !is_own ? 1 : 0);
    if (copied.count(i) == 1) n_wrong += owner != copied.where(i);
    n_wrong +=
        interpolated.count(i) != (!owner && is_in_domain(geometry, level, centring, i) ? 1 : 0);
  });
  return n_wrong;
}

// What is read to interpolate each point is in the patch, and comes from its owner, or is outside.
template <int D>
int n_wrong_footprints(const testing::World<D>& world, int level, const Centring<D>& centring,
                       const Plans<D>& plans) {
  const auto& geometry = world.geometry();
  int n_wrong = 0;
  for (const auto& patch : plans.patches) {
    const auto copied = ledger_of(patch.patch, plans.coarse, patch.fine);
    for (const Box<D>& region : patch.regions)
      for_each(region, [&](const Index<D>& fine) {
        const Box<D> footprint =
            centring.coarsened({fine, fine + Index<D>::filled(1)}, geometry.ratio(level - 1), 1);
        for_each(footprint, [&](const Index<D>& i) {
          const auto owner = owner_of(geometry, world.keys, level - 1, centring, i);
          const bool is_right =
              patch.patch.contains(i) && copied.count(i) == (owner ? 1 : 0) &&
              owner.has_value() == is_in_domain(geometry, level - 1, centring, i) &&
              (!owner || *owner == copied.where(i));
          n_wrong += !is_right;
        });
      });
  }
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
  EXPECT_EQ(n_wrong_footprints(world, level, centring, plans), 0);
}

template <int D>
void expect_planned(const Centring<D>& centring) {
  testing::for_worlds<D>(
      0,
      [&](const testing::World<D>& world, int level) { return plan_all(world, level, centring); },
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
      expect_right(world, level, centring, plan_all(world, level, centring));
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
  expect_planned(Centring<1>::node());
}
TEST(PointPlans, fill_each_node_once_from_its_owner_2d) {
  expect_planned(Centring<2>::node());
}
TEST(PointPlans, fill_each_face_once_from_its_owner_2d) {
  expect_planned(Centring<2>::face(0));
  expect_planned(Centring<2>::face(1));
}
TEST(PointPlans, fill_each_edge_once_from_its_owner_3d) {
  expect_planned(Centring<3>{{{true, false, true}}});
}

TEST(PointPlans, are_those_of_cells_where_points_are_cells) {
  const auto world = testing::make_world(testing::cases<2>()[2], 1);
  const PlanOptions wanted{.level = 1, .n_ghost = 2};
  const auto cells = Centring<2>::cell();
  EXPECT_EQ(plan_ghost_points(world.forests[0], world.near[0], cells, wanted),
            plan_ghost(world.forests[0], world.near[0], wanted));
  EXPECT_EQ(plan_restrict_points(world.forests[0], world.near[0], cells, wanted),
            plan_restrict(world.forests[0], world.near[0], wanted));
}

TEST(PointPlans, ghosts_beyond_the_neighbours_are_a_broken_contract) {
  const auto world = testing::make_world(testing::cases<1>().front(), 1);
  const auto plan = [&](const PlanOptions& wanted) {
    return plan_ghost_points(world.forests[0], world.near[0], Centring<1>::node(), wanted);
  };
  EXPECT_THROW(plan({.n_ghost = 8}), ContractViolation);
  EXPECT_THROW(plan({.n_ghost = -1}), ContractViolation);
  EXPECT_THROW(plan({.level = 7}), ContractViolation);
}

/// What one rank plans for the blocks of a level that a second regrid makes.
template <int D>
struct Renewed {
  mesh::Forest<D> old_forest;
  mesh::Forest<D> forest;
  std::vector<mesh::Key<D>> new_blocks;
  Transfers<D> kept;
  Transfers<D> moved;
};

template <int D>
std::vector<Renewed<D>> renew(const testing::Case<D>& c, int n_ranks, const Centring<D>& centring) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
    Renewed<D> result;
    const PlanOptions wanted{.level = 1, .max_comm_tasks = 2};
    result.old_forest = mesh::testing::random_forest(c, rank, n_ranks, exchange);
    result.forest = mesh::regrid<D>(
        result.old_forest, mesh::testing::random_wanted(result.old_forest, c.seed + 98), exchange);
    const auto near = mesh::find_neighbourhoods(result.forest, exchange);
    const auto claims = exchange_claims(result.old_forest, result.forest, exchange);
    if (result.forest.n_levels() < 2) return result;
    const auto move = plan_move(result.old_forest, result.forest, claims, wanted);
    result.new_blocks = move.new_blocks;
    result.moved = move_points(move, centring).transfers;
    const auto told = exchange(send_new_neighbours<D>(result.forest, near, move.new_blocks));
    result.kept = plan_kept_points(result.forest, near, told, centring, wanted).transfers;
    return result;
  });
}

template <int D>
void expect_kept(const Centring<D>& centring) {
  int n_copies = 0;
  for (const auto& c : testing::cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c);
    std::vector<Copy<D>> alone;
    for (const int n_ranks : {1, 3}) {
      const auto ranks = renew(c, n_ranks, centring);
      std::vector<Transfers<D>> kept;
      std::vector<Transfers<D>> moved;
      std::vector<mesh::Forest<D>> before;
      std::vector<mesh::Forest<D>> after;
      std::set<mesh::Key<D>> old_keys;
      std::set<mesh::Key<D>> new_keys;
      for (const auto& rank : ranks) {
        kept.push_back(rank.kept);
        moved.push_back(rank.moved);
        before.push_back(rank.old_forest);
        after.push_back(rank.forest);
        new_keys.insert(rank.new_blocks.begin(), rank.new_blocks.end());
      }
      if (after[0].n_levels() < 2) continue;
      testing::expect_matching(kept, after, after, 2);
      testing::expect_matching(moved, before, after, 2);
      const auto& geometry = after[0].geometry;
      for (const auto& copy : testing::all_copies(moved)) {
        EXPECT_EQ(copy.region, centring.points(geometry.cells(copy.dst)));
        old_keys.insert(copy.dst);
      }
      const auto copies = testing::all_copies(kept);
      n_copies += static_cast<int>(copies.size());
      int n_wrong = 0;
      for (const auto& key : new_keys) {
        const Box<D> points = centring.points(geometry.cells(key));
        const auto got = ledger_of(points, copies, key);
        for_each(points, [&](const Index<D>& i) {
          const auto kept_by = owner_of(geometry, old_keys, 1, centring, i);
          n_wrong += got.count(i) != (kept_by ? 1 : 0) || (kept_by && *kept_by != got.where(i));
        });
      }
      EXPECT_EQ(n_wrong, 0) << n_ranks << " ranks";
      for (const auto& copy : copies) EXPECT_TRUE(new_keys.contains(copy.dst));
      if (n_ranks == 1) alone = copies;
      EXPECT_EQ(copies, alone);
    }
  }
  EXPECT_GT(n_copies, 0);
}

TEST(PointPlans, new_blocks_take_the_points_that_kept_neighbours_have) {
  expect_kept(Centring<1>::node());
  expect_kept(Centring<2>::node());
  expect_kept(Centring<2>::face(0));
  expect_kept(Centring<3>::face(2));
}

}  // namespace
}  // namespace thalweg::exchange
