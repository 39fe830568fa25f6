// SPDX-License-Identifier: MIT
#include <thalweg/step/state.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;
using Field = field::LevelField<2>;

Pools make_pools(int block_cells, int n_components = 2, const field::JoinRule& rule = {}) {
  return {Field::array_pools(block_cells, 3, n_components, rule),
          Field::array_pools(block_cells, 0, n_components, rule),
          {},
          rule};
}

/// A mesh of three levels, and a state on it.
struct Fixture {
  Pools pools;
  Mesh<2> mesh;
  State<2> state;

  explicit Fixture(VirtualRank& self)
      : pools(make_pools(8)),
        mesh(make_mesh(mesh::testing::random_forest(mesh::testing::cases<2>()[2], self.rank(),
                                                    self.n_ranks(), self.collectives()),
                       {.n_ghosts = 3, .max_comm_tasks = 2}, self.collectives())),
        state(make_state(mesh, 3, 2, pools)) {}
};

TEST(BytesWith, is_no_less_than_what_a_state_takes_that_replaces_one_of_other_blocks) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Fixture f(self);
    constexpr int n_components = 2000;  // so that a slab has few blocks; none is touched
    Pools pools = make_pools(8, n_components);
    const auto taken = [&] { return pools.size_bytes(); };
    State<2> nothing;
    const std::size_t for_first = bytes_with(pools, f.mesh.forest, nothing);
    auto first = make_state(f.mesh, 3, n_components, pools);
    const std::size_t before = taken();
    EXPECT_LE(before, for_first);
    EXPECT_LE(for_first, 2 * before);
    EXPECT_LT(bytes_with(pools, f.mesh.forest, first), for_first + before / 2);
    const std::size_t for_another = bytes_with(pools, f.mesh.forest, nothing);

    const auto another = make_state(f.mesh, 3, n_components, pools);

    EXPECT_GT(taken(), before + before / 2);
    EXPECT_LE(taken(), for_another);
  });
}

TEST(MakeState, saves_all_blocks_where_stages_need_the_start_of_the_step) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    Fixture f(self);
    const State<2> nothing;
    Pools pools = make_pools(8);
    const std::size_t expected = bytes_with(pools, f.mesh.forest, nothing, Saved::all);
    const auto state = make_state(f.mesh, 3, 2, pools, Saved::all);
    for (std::size_t l = 0; l < state.cells.size(); ++l)
      EXPECT_TRUE(std::ranges::equal(state.saved[l].keys(), state.cells[l].keys()));
    EXPECT_LE(pools.size_bytes(), expected);
  });
}

TEST(MakeState, saves_nothing_where_nobody_asks_for_the_start_of_the_step) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    Fixture f(self);
    const State<2> nothing;
    Pools pools = make_pools(8);
    const std::size_t expected = bytes_with(pools, f.mesh.forest, nothing, Saved::none);
    const auto state = make_state(f.mesh, 3, 2, pools, Saved::none);
    for (const auto& saved : state.saved) EXPECT_EQ(saved.size(), 0u);
    EXPECT_EQ(pools.saved[0].size_bytes(), 0u);
    EXPECT_LE(pools.cells[0].size_bytes(), expected);
  });
}

TEST(MakeState, takes_over_the_blocks_that_stay) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Fixture f(self);
    const double* const memory = f.state.cells[1].view(0).data();
    f.state.cells[1].view(0).data()[17] = 4.5;
    const std::size_t taken = f.pools.cells[0].size_bytes();

    const auto next = make_state(f.mesh, 3, 2, f.pools, f.state);

    EXPECT_EQ(next.cells[1].view(0).data(), memory);
    EXPECT_EQ(memory[17], 4.5);
    EXPECT_EQ(f.pools.cells[0].size_bytes(), taken);
    EXPECT_TRUE(f.state.saved.empty());
  });
}

TEST(MakeState, has_every_block_and_saves_those_that_a_finer_level_reads) {
  for (const int n_ranks : {1, 3})
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      const Fixture f(self);
      const int n_levels = f.mesh.n_levels();
      ASSERT_EQ(f.state.cells.size(), static_cast<std::size_t>(n_levels));
      ASSERT_EQ(f.state.saved.size(), static_cast<std::size_t>(n_levels));
      for (int l = 0; l < n_levels; ++l) {
        const auto& cells = f.state.cells[static_cast<std::size_t>(l)];
        const auto& keys = f.mesh.forest.level(l).keys;
        EXPECT_TRUE(std::ranges::equal(cells.keys(), keys));
        for (std::size_t b = 0; b < cells.size(); ++b)
          EXPECT_EQ(cells.view(b).box(), f.mesh.forest.geometry.cells(keys[b]).grown(3));

        // Exactly the sources of what the finer level needs, here or on other ranks.
        std::set<mesh::Key<2>> read;
        if (l + 1 < n_levels) {
          const auto& transfers =
              f.mesh.plans[static_cast<std::size_t>(l + 1)].interface->coarse.transfers;
          for (const auto& copy : transfers.locals) read.insert(copy.src);
          for (const auto& message : transfers.sends)
            for (const auto& copy : message.copies) read.insert(copy.src);
        }
        const auto& saved = f.state.saved[static_cast<std::size_t>(l)];
        EXPECT_TRUE(std::ranges::equal(saved.keys(), read));
        EXPECT_EQ(saved.size() > 0, n_ranks == 1 ? l + 1 < n_levels : !read.empty());
        for (std::size_t b = 0; b < saved.size(); ++b)
          EXPECT_EQ(saved.view(b).box(), f.mesh.forest.geometry.cells(saved.keys()[b]));
      }
    });
}

TEST(BytesWith, is_no_less_than_what_a_state_of_joined_blocks_takes) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Fixture f(self);
    constexpr int n_components = 2000;
    for (const auto which : {Saved::all, Saved::read_by_finer, Saved::none}) {
      Pools pools = make_pools(8, n_components, {.levels = field::JoinLevels::all});
      State<2> before;
      for (int n = 0; n < 2; ++n) {  // the second takes the first one's blocks over
        const std::size_t expected = bytes_with(pools, f.mesh.forest, before, which);
        before = make_state(f.mesh, 3, n_components, pools, before, which);
        EXPECT_LE(pools.size_bytes(), expected);
        EXPECT_LE(expected, 2 * pools.size_bytes());
      }
    }
  });
}

TEST(MakeState, joins_the_blocks_that_make_up_a_box) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Fixture f(self);
    Pools pools = make_pools(8, 2, {.levels = field::JoinLevels::all});
    auto state = make_state(f.mesh, 3, 2, pools, Saved::all);
    std::size_t n_joined = 0;
    for (std::size_t l = 0; l < state.cells.size(); ++l) {
      const auto& cells = state.cells[l];
      ASSERT_EQ(state.saved[l].joined().size(), cells.joined().size());
      n_joined += cells.joined().size();
      for (const auto& [first, n, array] : cells.joined())
        for (std::size_t b = first; b < first + n; ++b) {
          EXPECT_EQ(cells.keys()[b].code / n, cells.keys()[first].code / n);
          const auto& view = cells.view(b);
          EXPECT_EQ(view.box(), f.mesh.forest.geometry.cells(cells.keys()[b]).grown(3));
          for_each(view.box(),
                   [&](const Index<2>& i) { EXPECT_EQ(view.at(1, i), array.at(1, i)); });
        }
    }
    EXPECT_GT(n_joined, 0u);

    const double* const memory = state.cells[0].joined()[0].cells.data();
    const auto next = make_state(f.mesh, 3, 2, pools, state, Saved::all);
    EXPECT_EQ(next.cells[0].joined()[0].cells.data(), memory);
  });
}

TEST(Bind, gives_joined_blocks_the_same_data) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Fixture f(self);
    Pools pools = make_pools(8, 2, {.levels = field::JoinLevels::all});
    const auto state = make_state(f.mesh, 3, 2, pools, Saved::all);
    auto recorder = self.recorder();
    std::size_t n_groups = 0, n_blocks = 0;
    for (const auto& level : bind(recorder, f.mesh, state, 2))
      level.for_each_group([&](const exchange::BlockGroup<2>& group) {
        ++n_groups;
        Box<2> all = group.front().valid;
        std::int64_t n_cells = 0;
        for (const auto& block : group.blocks) {
          ++n_blocks;
          EXPECT_EQ(block.interior, group.front().interior);
          EXPECT_EQ(block.ghosts, group.front().ghosts);
          EXPECT_EQ(block.saved->datum, group.front().saved->datum);
          EXPECT_EQ(block.preferred_worker, group.front().preferred_worker);
          for (int a = 0; a < 2; ++a) all.hi[a] = std::max(all.hi[a], block.valid.hi[a]);
          n_cells += group.share_of(block).n_cells();
        }
        EXPECT_EQ(group.valid, all);
        EXPECT_EQ(group.cells.box(), all.grown(3));
        EXPECT_EQ(n_cells, group.cells.box().n_cells());
      });
    EXPECT_LT(n_groups, n_blocks);
  });
}

TEST(Bind, gives_every_part_of_every_block_a_datum_of_its_own) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    const Fixture f(self);
    auto recorder = self.recorder();

    const auto levels = bind(recorder, f.mesh, f.state, 2);

    std::vector<std::uint32_t> data;
    ASSERT_EQ(levels.size(), f.state.cells.size());
    for (std::size_t l = 0; l < levels.size(); ++l) {
      EXPECT_EQ(levels[l].level, static_cast<int>(l));
      ASSERT_EQ(levels[l].blocks.size(), f.state.cells[l].size());
      for (std::size_t b = 0; b < levels[l].blocks.size(); ++b) {
        const auto& block = levels[l].blocks[b];
        EXPECT_EQ(block.key, f.state.cells[l].keys()[b]);
        EXPECT_EQ(block.cells.data(), f.state.cells[l].view(b).data());
        EXPECT_EQ(block.valid.grown(3), block.cells.box());
        EXPECT_EQ(block.saved.has_value(), f.state.saved[l].find(block.key).has_value());
        data.push_back(block.interior());
        data.push_back(block.ghosts());
        if (!block.saved) continue;
        EXPECT_EQ(block.saved->cells.data(),
                  f.state.saved[l].view(*f.state.saved[l].find(block.key)).data());
        data.push_back(block.saved->datum());
      }
    }
    std::ranges::sort(data);
    EXPECT_EQ(std::ranges::adjacent_find(data), data.end());
  });
}

TEST(Bind, divides_a_level_among_workers_in_pieces_of_the_curve) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Fixture f(self);
    for (const int n_workers : {1, 2, 3, 1000}) {
      auto recorder = self.recorder();
      for (const auto& level : bind(recorder, f.mesh, f.state, n_workers)) {
        std::vector<std::uint32_t> workers;
        for (const auto& block : level.blocks) workers.push_back(block.preferred_worker);
        EXPECT_TRUE(std::ranges::is_sorted(workers));
        EXPECT_LT(workers.back(), static_cast<std::uint32_t>(n_workers));
        for (const std::uint32_t worker : {0u, 1u, 2u}) {
          if (static_cast<int>(worker) >= n_workers || n_workers > 3) continue;
          const auto n = static_cast<int>(std::ranges::count(workers, worker));
          EXPECT_LE(std::abs(n - static_cast<int>(workers.size()) / n_workers), 1);
        }
      }
    }
  });
}

}  // namespace
}  // namespace thalweg::step
