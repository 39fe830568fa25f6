// SPDX-License-Identifier: MIT
#include <thalweg/step/memory.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::VirtualRank;
using thalweg::testing::heap_bytes;

TEST(Memory, of_meshes_and_states_is_what_the_heap_gives) {
  for (const int n_ranks : {1, 3})
    exchange::testing::on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      auto c = mesh::testing::cases<2>()[2];
      c.geometry.root_blocks = {{24, 24}};  // so that what the heap adds does not count
      const auto mesh =
          make_mesh(mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives()),
                    {.n_ghosts = 3, .max_comm_tasks = 2}, self.collectives());
      ASSERT_EQ(mesh.n_levels(), 3);
      flow::barrier(self.transport());  // no rank has anything else in hand

      auto before = heap_bytes();
      const Mesh<2> copy = mesh;  // whose lists have no room to spare
      auto taken = heap_bytes() - before;
      EXPECT_LE(n_bytes(copy), taken);
      EXPECT_GE(1.02 * static_cast<double>(n_bytes(copy)), static_cast<double>(taken));
      EXPECT_GE(n_bytes(mesh), n_bytes(copy));

      using field::BlockSource;  // of slabs, pages that are never used would count
      Pools pools{field::LevelField<2>::array_pools(8, 3, 2, {}, BlockSource::heap),
                  field::LevelField<2>::array_pools(8, 0, 2, {}, BlockSource::heap)};
      before = heap_bytes();
      const auto state = make_state(mesh, 3, 2, pools);
      taken = heap_bytes() - before - pools.size_bytes();
      EXPECT_LE(n_bytes(state), taken);
      // The heap gives each block some bytes more than it is asked for.
      EXPECT_GE(1.7 * static_cast<double>(n_bytes(state)), static_cast<double>(taken));
    });
}

TEST(Memory, of_arrays_of_points_is_that_of_their_lists_too) {
  exchange::testing::on_virtual_ranks(1, [](VirtualRank& self) {
    const std::vector<field::PointArray> nodes(100);  // of one block: plans without copies
    const auto mesh = make_mesh(
        mesh::initial_forest(mesh::Geometry<2>(), self.rank(), self.n_ranks(), self.collectives()),
        {.points = nodes}, self.collectives());

    auto before = heap_bytes();
    const Mesh<2> copy = mesh;
    auto taken = heap_bytes() - before;
    EXPECT_LE(n_bytes(copy), taken);
    EXPECT_GE(1.05 * static_cast<double>(n_bytes(copy)), static_cast<double>(taken));

    before = heap_bytes();
    State<2> state;
    state.points.resize(nodes.size());
    for (auto& levels : state.points) levels.resize(3);
    taken = heap_bytes() - before;
    EXPECT_LE(n_bytes(state), taken);
    EXPECT_GE(1.1 * static_cast<double>(n_bytes(state)), static_cast<double>(taken));
  });
}

}  // namespace
}  // namespace thalweg::step
