// SPDX-License-Identifier: MIT
#include <thalweg/step/mesh.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;

TEST(MakeMesh, has_the_plans_of_every_level) {
  const auto c = mesh::testing::cases<2>()[2];
  for (const int n_ranks : {1, 3})
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
      const Mesh<2> mesh = make_mesh(
          forest, {.n_ghosts = 3, .max_comm_tasks = 2, .coarse_reach = 2}, self.collectives());

      EXPECT_EQ(mesh.forest, forest);
      EXPECT_EQ(mesh.neighbours, mesh::find_neighbour_info(forest, self.collectives()));
      ASSERT_EQ(mesh.n_levels(), 3);
      ASSERT_EQ(mesh.plans.size(), 3u);
      EXPECT_FALSE(mesh.plans[0].interface.has_value());
      for (int l = 0; l < 3; ++l) {
        const exchange::PlanOptions options{l, 3, 2, 2};
        const auto& plans = mesh.plans[static_cast<std::size_t>(l)];
        EXPECT_EQ(plans.ghost, exchange::plan_ghost(forest, mesh.neighbours, options));
        if (l == 0) continue;
        ASSERT_TRUE(plans.interface.has_value());
        EXPECT_EQ(plans.interface->coarse,
                  exchange::plan_coarse_ghosts(forest, mesh.neighbours, options));
        EXPECT_EQ(plans.interface->restrict,
                  exchange::plan_restrict(forest, mesh.neighbours, options));
        EXPECT_EQ(plans.interface->reflux, exchange::plan_reflux(forest, mesh.neighbours, options));
      }
    });
}

TEST(Mesh, knows_which_of_its_blocks_finer_ones_cover) {
  const auto c = mesh::testing::cases<2>()[2];
  std::set<mesh::Key<2>> all;
  std::int64_t n_fully = 0;
  std::int64_t n_partly = 0;
  on_virtual_ranks(1, [&](VirtualRank& self) {
    all = mesh::testing::all_keys<2>(
        {mesh::testing::random_forest(c, self.rank(), 1, self.collectives())});
  });
  on_virtual_ranks(3, [&](VirtualRank& self) {
    const Mesh<2> mesh =
        make_mesh(mesh::testing::random_forest(c, self.rank(), 3, self.collectives()), {},
                  self.collectives());
    for (int l = 0; l < mesh.n_levels(); ++l) {
      std::int64_t n_covered = 0;
      for (const auto& key : mesh.forest.level(l).keys) {
        const auto children = mesh::children(key, mesh.forest.geometry.ratio(l));
        const auto n = std::ranges::count_if(
            children, [&](const mesh::Key<2>& child) { return all.contains(child); });
        EXPECT_EQ(mesh.is_covered(key), n == std::ssize(children));
        n_covered += n == std::ssize(children);
        n_partly += n > 0 && n < std::ssize(children);
      }
      EXPECT_EQ(mesh.n_covered(l), n_covered);
      n_fully += n_covered;
    }
  });
  EXPECT_GT(n_fully, 0);
  EXPECT_GT(n_partly, 0);
}

/// Where a level's ghost copies lie in memory: the same for a plan that was kept.
template <int D>
const void* memory_of(const LevelPlans<D>& plans) {
  return plans.ghost.transfers.locals.data();
}

TEST(MakeMesh, keeps_the_plans_of_levels_where_nothing_changed) {
  on_virtual_ranks(1, [&](VirtualRank& self) {
    const mesh::Geometry<2> geometry({.root_blocks = {2, 2}, .max_level = 2});
    const PlanSettings settings{.n_ghosts = 3};
    std::vector<mesh::Key<2>> wanted;
    for (std::uint64_t code = 0; code < 16; ++code) wanted.push_back({1, code});
    const auto roots = mesh::initial_forest(geometry, self.rank(), 1);
    Mesh<2> before =
        make_mesh(mesh::regrid<2>(roots, wanted, self.collectives()), settings, self.collectives());
    ASSERT_EQ(before.n_levels(), 2);
    const std::vector kept{memory_of(before.plans[0]), memory_of(before.plans[1])};
    wanted.push_back({2, 20});

    const Mesh<2> finer = make_mesh(mesh::regrid<2>(before.forest, wanted, self.collectives()),
                                    settings, self.collectives(), &before);

    ASSERT_EQ(finer.n_levels(), 3);
    ASSERT_NE(kept[1], nullptr);
    EXPECT_EQ(memory_of(finer.plans[0]), kept[0]);
    EXPECT_EQ(memory_of(finer.plans[1]), kept[1]);
    EXPECT_TRUE(before.plans.empty());
  });
}

/// A mesh of 8 x 8 blocks of level 1 and 16 x 16 of level 2 of which one is added or taken away at
/// a time: much stays as it is on most ranks. What is kept is what would be made anew.
void expect_plans_as_if_made_anew(int n_ranks, mesh::Partitioner partitioner,
                                  mesh::Threshold threshold = {}) {
  const mesh::Geometry<2> geometry({.root_blocks = {4, 4}, .max_level = 2});
  const PlanSettings settings{.n_ghosts = 3, .max_comm_tasks = 2};
  std::array<int, 3> n_kept{};  // of levels, on all ranks
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    SplitMix64 random(7);  // the same wishes on all ranks
    std::set<mesh::Key<2>> wanted{{1, 0}, {1, 17}, {1, 40}};
    Mesh<2> mesh = make_mesh(mesh::initial_forest(geometry, self.rank(), n_ranks), settings,
                             self.collectives());
    for (int i = 0; i < 60; ++i) {
      const int level = 1 + static_cast<int>(random.below(2));
      const mesh::Key<2> one{level, random.below(level == 1 ? 64 : 256)};
      if (wanted.erase(one) == 0) wanted.insert(one);
      std::vector<mesh::Key<2>> all(wanted.begin(), wanted.end());
      std::erase_if(all, [&](const auto& key) { return key.level > mesh.n_levels(); });
      std::vector<const void*> before;
      for (const auto& plans : mesh.plans) before.push_back(memory_of(plans));
      const auto weigh = [](const mesh::Key<2>&) { return std::int64_t{1}; };
      const auto forest =
          mesh::regrid<2>(mesh.forest, all, self.collectives(), weigh, threshold, partitioner)
              .forest;
      Mesh<2> next = make_mesh(forest, settings, self.collectives(), &mesh);

      EXPECT_TRUE(next.plans == make_mesh(forest, settings, self.collectives()).plans) << i;
      for (std::size_t l = 0; l < next.plans.size(); ++l)
        n_kept[l] +=
            l < before.size() && before[l] != nullptr && memory_of(next.plans[l]) == before[l];
      mesh = std::move(next);
    }
  });
  EXPECT_GT(n_kept[0], 0);
  EXPECT_GT(n_kept[1], 0);
}

TEST(MakeMesh, gives_the_plans_that_a_mesh_without_one_before_has) {
  for (const int n_ranks : {1, 3, 12})
    expect_plans_as_if_made_anew(n_ranks, mesh::Partitioner::morton);
}
TEST(MakeMesh,
     gives_the_plans_that_a_mesh_without_one_before_has_where_blocks_are_assigned_explicitly) {
  for (const auto partitioner : {mesh::Partitioner::hilbert, mesh::Partitioner::round_robin})
    expect_plans_as_if_made_anew(7, partitioner);
}
TEST(MakeMesh, gives_the_plans_that_a_mesh_without_one_before_has_where_blocks_stay) {
  for (const int n_ranks : {3, 12})
    expect_plans_as_if_made_anew(n_ranks, mesh::Partitioner::morton, {.imbalance = 100});
}

}  // namespace
}  // namespace thalweg::step
