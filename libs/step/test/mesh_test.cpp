// SPDX-License-Identifier: MIT
#include <thalweg/step/mesh.hpp>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;

TEST(MakeMesh, has_the_plans_of_every_level) {
  const auto c = mesh::testing::cases<2>()[2];
  for (const int n_ranks : {1, 3})
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.exchange());
      const Mesh<2> mesh = make_mesh(forest, {.n_ghosts = 3, .max_comm_tasks = 2}, self.exchange());

      EXPECT_EQ(mesh.forest, forest);
      EXPECT_EQ(mesh.near, mesh::find_neighbourhoods(forest, self.exchange()));
      ASSERT_EQ(mesh.n_levels(), 3);
      ASSERT_EQ(mesh.plans.size(), 3u);
      EXPECT_FALSE(mesh.plans[0].interface.has_value());
      for (int l = 0; l < 3; ++l) {
        const exchange::PlanOptions options{l, 3, 2};
        const auto& plans = mesh.plans[static_cast<std::size_t>(l)];
        EXPECT_EQ(plans.ghost, exchange::plan_ghost(forest, mesh.near, options));
        if (l == 0) continue;
        ASSERT_TRUE(plans.interface.has_value());
        EXPECT_EQ(plans.interface->coarse,
                  exchange::plan_coarse_ghosts(forest, mesh.near, options));
        EXPECT_EQ(plans.interface->restrict, exchange::plan_restrict(forest, mesh.near, options));
        EXPECT_EQ(plans.interface->reflux, exchange::plan_reflux(forest, mesh.near, options));
      }
    });
}

}  // namespace
}  // namespace thalweg::step
