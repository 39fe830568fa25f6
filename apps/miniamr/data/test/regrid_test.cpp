// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/regrid.hpp>

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

/// Two stages, a regrid, and a stage.
void expect_plain_regrid(const Shape& shape, std::uint64_t seed, int n_ranks, flow::Model model,
                         Stencil stencil = Stencil::seven) {
  const Meshes meshes = random_meshes(seed, n_ranks);
  const Plain first = plain_blocks(shape, meshes.before);
  Plain before = first;
  for (int i = 0; i < 2; ++i) plain_stage(shape, before, meshes.before, stencil);
  Plain after = plain_regrid(shape, before, meshes.after);
  const Plain moved = after;
  plain_stage(shape, after, meshes.after, stencil);
  const std::string what = "on " + std::to_string(n_ranks) + " ranks, model " +
                           std::string(flow::to_string(model)) + ", seed " + std::to_string(seed);
  on_virtual_ranks(n_ranks, seed, [&](VirtualRank& self) {
    self.model = model;
    const Rank rank = self.transport.rank();
    Store store(shape);
    store.assign(keys_of(meshes.before[rank()]));
    load(store, first);
    Checksums checksums{.last = std::vector<double>(static_cast<std::size_t>(shape.n_vars))};
    const auto run_stages = [&](int n, const Layout& layout) {
      const StageSettings stages{.stencil = stencil, .n_stages = n, .checksum_freq = 0};
      return self.run(shape,
                      [&](auto& r) { record_timestep(r, stages, layout, store, checksums); });
    };
    ASSERT_EQ(run_stages(2, meshes.before[rank()]), "");
    store.begin_regrid(meshes.origins[rank()], rank);
    ASSERT_EQ(self.run(shape, [&](auto& r) { record_regrid(r, meshes.origins[rank()], store, 1); }),
              "");
    store.end_regrid();
    const Layout& layout = meshes.after[rank()];
    ASSERT_EQ(store.size(), layout.blocks.size());
    expect_equal(store, moved, "moved " + what);
    ASSERT_EQ(run_stages(1, layout), "");
    expect_equal(store, after, "a stage later " + what);
  });
}

TEST(Regrid, splits_joins_and_moves_as_plain_loops_do) {
  for (std::uint64_t seed = 1; seed < 9; ++seed)
    for (const int n_ranks : {1, 3})
      expect_plain_regrid({{4, 6, 2}, 3}, seed, n_ranks, flow::Model::dataflow);
}

TEST(Regrid, lets_persistent_ghost_cells_go_where_blocks_go_and_new_blocks_begin_with_none) {
  for (const bool sends_borders : {false, true})
    for (std::uint64_t seed = 1; seed < 4; ++seed)
      for (const int n_ranks : {1, 3})
        expect_plain_regrid({{4, 6, 2}, 2, true, sends_borders}, seed, n_ranks,
                            flow::Model::dataflow, Stencil::twenty_seven);
}

TEST(Regrid, does_the_same_in_all_models) {
  for (const auto model : {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase})
    expect_plain_regrid({{4, 4, 4}, 2}, 3, 3, model);
}

TEST(Regrid, of_the_tests_has_all_kinds_of_origins_across_ranks) {
  int n_far[3] = {};
  for (std::uint64_t seed = 1; seed < 9; ++seed)
    for (const Origins& origins : random_meshes(seed, 3).origins)
      for (const Origin& origin : origins)
        for (const auto& source : origin.sources())
          if (source.owner != origin.owner) ++n_far[static_cast<int>(origin.kind)];
  for (const int n : n_far) EXPECT_GT(n, 0);
}

TEST(Regrid, takes_no_memory_from_the_system_the_second_time) {
  const Shape shape{{8, 8, 8}, 4};
  const Meshes meshes = random_meshes(2, 1);
  Store store(shape);
  const auto go_and_return = [&] {
    for (const bool goes : {true, false}) {
      const Owners from = owners_of(goes ? meshes.before : meshes.after);
      const Owners to = owners_of(goes ? meshes.after : meshes.before);
      store.begin_regrid(all_origins(from, to), Rank(0));
      store.end_regrid();
    }
  };
  store.assign(keys_of(meshes.before[0]));
  go_and_return();
  const std::size_t n_bytes = store.size_bytes();
  for (int i = 0; i < 3; ++i) go_and_return();
  EXPECT_EQ(store.size_bytes(), n_bytes);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing
