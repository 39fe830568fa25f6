// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/pass.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "small_mesh.hpp"

namespace thalweg::miniamr {
namespace {

using mesh::Key;
using mesh::key_at;
using Kind = data::Origin::Kind;

// What a pass makes of the small mesh, of both ranks together.
PassPlan planned(const testing::Marks& marks_of_some, Mark others) {
  const auto plans = testing::on_small_mesh(
      [&](Rank /*rank*/, const Mesh& /*mesh*/, const LeafHalo& halo, auto& /*rounds*/) {
        std::vector<Mark> marks;
        for (const auto& leaf : halo.known())
          marks.push_back(marks_of_some.contains(leaf.key) ? marks_of_some.at(leaf.key) : others);
        return plan_pass(mesh_rules(testing::small_options()), halo, marks);
      });
  PassPlan all = plans[0];
  all.origins.insert(all.origins.end(), plans[1].origins.begin(), plans[1].origins.end());
  all.n_split += plans[1].n_split;
  all.n_joined += plans[1].n_joined;
  return all;
}

const data::Origin& origin_of(const PassPlan& plan, const Key<3>& key) {
  const auto origin = std::ranges::find(plan.origins, key, &data::Origin::key);
  EXPECT_NE(origin, plan.origins.end());
  return *origin;
}

TEST(PlanPass, leaves_that_stay_are_their_own_origin) {
  const PassPlan plan = planned({}, Mark::stay);
  EXPECT_EQ(plan.origins.size(), 16U);
  EXPECT_EQ(plan.n_split + plan.n_joined, 0);
  for (const auto& origin : plan.origins) {
    EXPECT_EQ(origin.kind, Kind::same);
    EXPECT_EQ(origin.from[0], (mesh::OwnedLeaf<3>{origin.key, origin.owner}));
  }
}

TEST(PlanPass, children_are_their_parents_owners) {
  const Key<3> parent = key_at<3>(1, {1, 1, 1});
  const PassPlan plan = planned({{parent, Mark::refine}}, Mark::stay);
  EXPECT_EQ(plan.n_split, 1);
  EXPECT_EQ(plan.origins.size(), 23U);
  for (int c = 0; c < 8; ++c) {
    const auto& child = origin_of(plan, mesh::child(parent, c, 2));
    EXPECT_EQ(child.kind, Kind::child);
    EXPECT_EQ(child.from[0].key, parent);
    EXPECT_EQ(child.owner, child.from[0].owner);
  }
}

TEST(PlanPass, a_joined_block_is_its_first_childs_owners_and_has_eight_sources) {
  testing::Marks marks;
  const Key<3> parent = key_at<3>(1, {0, 0, 0});
  for (int c = 0; c < 8; ++c) marks[mesh::child(parent, c, 2)] = Mark::may_coarsen;
  const PassPlan plan = planned(marks, Mark::stay);
  EXPECT_EQ(plan.n_joined, 1);
  EXPECT_EQ(plan.origins.size(), 9U);
  const auto& joined = origin_of(plan, parent);
  ASSERT_EQ(joined.sources().size(), 8U);
  EXPECT_EQ(joined.owner, Rank(0));
  EXPECT_EQ(joined.from[7].owner, Rank(1));
  for (int c = 0; c < 8; ++c)
    EXPECT_EQ(joined.from[static_cast<std::size_t>(c)].key, mesh::child(parent, c, 2));
}

TEST(PlanPass, origins_follow_the_curve) {
  const PassPlan plan = planned({{key_at<3>(0, {1, 0, 0}), Mark::refine}}, Mark::stay);
  const auto rules = mesh_rules(testing::small_options());
  EXPECT_TRUE(std::ranges::is_sorted(
      plan.origins, {}, [&](const data::Origin& origin) { return rules.position(origin.key); }));
}

TEST(SettleDirectory, gives_all_ranks_as_many_leaves) {
  const auto counts = testing::on_small_mesh(
      [](Rank /*rank*/, const Mesh& mesh, const LeafHalo& /*near*/, auto& collectives) {
        const NextForest next = settle_directory(mesh.forest, origins_of(mesh), collectives);
        EXPECT_EQ(leaves_of(next.origins), next.forest.leaves);
        EXPECT_EQ(next.forest.n_global, 16);
        return next.forest.leaves.size();
      });
  EXPECT_EQ(counts, (std::vector<std::size_t>{8, 8}));
}

}  // namespace
}  // namespace thalweg::miniamr
