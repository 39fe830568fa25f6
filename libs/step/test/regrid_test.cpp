// SPDX-License-Identifier: MIT
#include <thalweg/step/regrid.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::keys_of;
using exchange::testing::on_virtual_ranks;
using exchange::testing::random_value;
using exchange::testing::Tracers;
using exchange::testing::VirtualRank;

constexpr PlanSettings plan_settings{.n_ghosts = 3, .max_comm_tasks = 2};

template <int D>
Pools make_pools(const mesh::Geometry<D>& geometry, const field::JoinRule& rule = {}) {
  using Field = field::LevelField<D>;
  const auto& n = geometry.block_cells();
  return {Field::array_pools(n, 3, 2, rule), Field::array_pools(n, 0, 2, rule), {}, rule};
}

/// Set the cells of all blocks to random values that belong to them.
template <int D>
void set_random(const State<D>& state) {
  for (std::size_t l = 0; l < state.cells.size(); ++l)
    for (std::size_t b = 0; b < state.cells[l].size(); ++b) {
      const auto& view = state.cells[l].view(b);
      for_each(view.box(), [&](const Index<D>& i) {
        for (int c = 0; c < 2; ++c) view[c, i] = random_value(static_cast<int>(l), i, c, 0);
      });
    }
}

TEST(RecordTags, tags_all_levels_that_may_be_refined_with_their_ghost_cells_filled) {
  const auto c = mesh::testing::cases<2>()[2];
  const auto keys = keys_of(c);
  on_virtual_ranks(3, [&](VirtualRank& self) {
    const Mesh<2> mesh =
        make_mesh(mesh::testing::random_forest(c, self.rank(), 3, self.collectives()),
                  plan_settings, self.collectives());
    auto pools = make_pools(mesh.forest.geometry);
    const State<2> state = make_state(mesh, 3, 2, pools);
    set_random(state);
    const exchange::FillContext<2> boundary = exchange::BoundaryContext<Tracers<2>>{
        {mesh.forest.geometry, exchange::testing::boundaries(mesh.forest.geometry)}};
    auto recorder = self.recorder();
    const auto levels = bind(recorder, mesh, state, 1);

    // A tag reads the neighbour on its right: in a ghost cell of the block on its left.
    const auto tags =
        record_tags(recorder, boundary, mesh, levels,
                    RefinementTags<Tracers<2>::State, 2>(
                        [](const auto&, const auto& here) { return here(0, +1).a > 1.5; }),
                    0.0);
    self.run(std::move(recorder));

    ASSERT_EQ(tags.size(), 2u);  // of three levels, the last of which is the finest allowed
    const auto& geometry = mesh.forest.geometry;
    int n_wrong = 0;
    for (std::size_t l = 0; l < tags.size(); ++l)
      for (std::size_t b = 0; b < state.cells[l].size(); ++b) {
        const int level = static_cast<int>(l);
        const Box<2> valid = geometry.cells(state.cells[l].keys()[b]);
        const View<const std::uint8_t, 2> view(tags_of(tags[l], b, state.cells[l].size()).data(),
                                               valid, 1);
        for_each(valid, [&](const Index<2>& i) {
          const auto right = exchange::testing::wrapped(geometry, level, i + Index<2>::unit(0));
          if (!right || !keys.contains(exchange::testing::holder(geometry, level, *right))) return;
          n_wrong += view[0, i] != (random_value(level, *right, 0, 0) > 1.5 ? 1 : 0);
        });
      }
    EXPECT_EQ(n_wrong, 0);
    EXPECT_TRUE(std::ranges::is_sorted(wanted_blocks(mesh.forest, tags, 2)));
  });
}

TEST(WantedBlocks, names_each_block_of_the_next_level_once_however_many_tags_ask_for_it) {
  mesh::Geometry<1>::Config config;
  config.root_blocks = {{2}};
  config.block_cells = 8;
  config.max_level = 1;
  const auto forest = mesh::initial_forest(mesh::Geometry<1>(config), Rank{0}, 1);
  flow::Recorder recorder(Rank{0}, 1);
  const Tags tags{recorder.data<std::uint8_t>("tags", 16)};
  // Cell 7 of the first block and cell 8, the first of the second: with a buffer of one cell both
  // ask for both blocks of the next level there.
  tags[0].view()[7] = 1;
  tags[0].view()[8] = 1;

  EXPECT_EQ(wanted_blocks(forest, tags, 0), (std::vector<mesh::Key<1>>{{1, 1}, {1, 2}}));
  EXPECT_EQ(wanted_blocks(forest, tags, 1), (std::vector<mesh::Key<1>>{{1, 1}, {1, 2}}));
  tags[0].view()[7] = 0;
  tags[0].view()[8] = 0;
  EXPECT_TRUE(wanted_blocks(forest, tags, 1).empty());
}

TEST(WantedBlocks, reach_as_far_as_the_buffer_of_the_level_of_a_tag) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    mesh::Geometry<1>::Config config;
    config.root_blocks = {{4}};
    config.block_cells = 8;
    config.max_level = 2;
    const auto roots = mesh::initial_forest(mesh::Geometry<1>(config), Rank{0}, 1);
    const std::vector<mesh::Key<1>> level_1{{1, 3}, {1, 4}};
    const auto forest = mesh::regrid<1>(roots, level_1, self.collectives());
    ASSERT_EQ(forest.level(1).keys, level_1);
    auto recorder = self.recorder();
    const Tags tags{recorder.data<std::uint8_t>("tags of level 0", 32),
                    recorder.data<std::uint8_t>("tags of level 1", 16)};
    tags[0].view()[13] = 1;  // four cells lie under a block of the next level
    tags[1].view()[5] = 1;   // cell 29, as the first block of level 1 is the fourth in the domain

    const auto wanted = [&](const mesh::Buffers& buffers) {
      return wanted_blocks(forest, tags, buffers);
    };
    EXPECT_EQ(wanted(0), (std::vector<mesh::Key<1>>{{1, 3}, {2, 7}}));
    EXPECT_EQ(wanted({0, 2}), (std::vector<mesh::Key<1>>{{1, 3}, {2, 6}, {2, 7}}));
    EXPECT_EQ(wanted({2, 0}), (std::vector<mesh::Key<1>>{{1, 2}, {1, 3}, {2, 7}}));
    EXPECT_EQ(wanted({2, 2}), wanted(2));
  });
}

/// How much further interpolation of the first component can lead next to walls, which mirror it to
/// a multiple: there a slope is up to twice the difference on the inner side, which is below 1, and
/// the centre of a fine cell up to 3/8 of a coarse one away.
template <int D>
double walls(const mesh::Geometry<D>& geometry, int level, const Index<D>& cell) {
  const int ratio = geometry.ratio(level - 1);
  const Index<D> last = geometry.domain_cells(level).hi - Index<D>::filled(ratio);
  double further = 0;
  for (int a = 0; a < D; ++a)
    if (!geometry.is_periodic(a) && (cell[a] < ratio || cell[a] >= last[a])) further += 2 * 0.375;
  return further;
}

/// Whether blocks that stay on a rank keep their memory.
enum class TakeOver { no, yes };

/// Move a random state to a mesh made by other tags; on all levels old blocks keep their bits, and
/// new ones have the mean of their coarse cells.
template <int D>
void expect_moved(int n_ranks, TakeOver take_over, const field::JoinRule& rule = {}) {
  for (const auto& c : exchange::testing::few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
    const auto old_keys = keys_of(c);
    std::int64_t n_wrong = 0;
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      const Mesh<D> old_mesh =
          make_mesh(mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives()),
                    plan_settings, self.collectives());
      const Mesh<D> new_mesh =
          make_mesh(mesh::regrid<D>(old_mesh.forest,
                                    mesh::testing::random_wanted(old_mesh.forest, c.seed + 99),
                                    self.collectives()),
                    plan_settings, self.collectives());
      auto pools = make_pools(new_mesh.forest.geometry, rule);
      State<D> old_state = make_state(old_mesh, 3, 2, pools);
      set_random(old_state);
      const State<D> new_state = take_over == TakeOver::yes
                                     ? make_state(new_mesh, 3, 2, pools, old_state)
                                     : make_state(new_mesh, 3, 2, pools);
      const auto& geometry = new_mesh.forest.geometry;
      auto recorder = self.recorder();

      const exchange::BoundaryContext<Tracers<D>> boundary{
          {geometry, exchange::testing::boundaries(geometry)}};
      record_move(recorder, boundary, old_mesh, old_state, new_mesh, new_state, 1, plan_settings,
                  {}, 0.0, self.collectives());
      self.run(std::move(recorder));

      for (int l = 0; l < new_mesh.n_levels(); ++l) {
        const auto& level = new_state.cells[static_cast<std::size_t>(l)];
        for (std::size_t b = 0; b < level.size(); ++b) {
          const auto& key = level.keys()[b];
          const bool is_old = old_keys.contains(key);
          for_each(geometry.cells(key), [&](const Index<D>& i) {
            const auto u = numerics::load<typename Tracers<D>::State>(
                level.view(b).at(0, i), level.view(b).component_stride());
            if (is_old)
              n_wrong += u.a != random_value(l, i, 0, 0) || u.b != random_value(l, i, 1, 0);
            else
              n_wrong += !(u.b > 0.5 && u.b < 2.5) ||
                         !(u.a > 0.5 - walls(geometry, l, i) && u.a < 2.5 + walls(geometry, l, i));
          });
        }
      }
    });
    EXPECT_EQ(n_wrong, 0);
  }
}

TEST(RecordMove, keeps_what_there_was_and_interpolates_the_rest_1d) {
  for (const int n_ranks : {1, 3})
    for (const auto take_over : {TakeOver::no, TakeOver::yes}) expect_moved<1>(n_ranks, take_over);
}
TEST(RecordMove, keeps_what_there_was_and_interpolates_the_rest_2d) {
  for (const int n_ranks : {1, 3})
    for (const auto take_over : {TakeOver::no, TakeOver::yes}) expect_moved<2>(n_ranks, take_over);
}
TEST(RecordMove, keeps_what_there_was_and_interpolates_the_rest_3d) {
  expect_moved<3>(3, TakeOver::yes);
}
TEST(RecordMove, keeps_what_there_was_where_blocks_are_joined_or_no_longer) {
  const field::JoinRule joins{.levels = field::JoinLevels::all};
  for (const int n_ranks : {1, 2, 3}) {
    expect_moved<1>(n_ranks, TakeOver::yes, joins);
    expect_moved<2>(n_ranks, TakeOver::yes, joins);
  }
  expect_moved<3>(3, TakeOver::yes, joins);
}

TEST(RecordMove, interpolates_from_as_many_cells_around_as_the_rule_reads) {
  // x^2 + 1, for which parabolas are exact.
  const auto mean = [](int i, double h) { return 1 + (i + 0.5) * (i + 0.5) * h * h + h * h / 12; };
  on_virtual_ranks(2, [&](VirtualRank& self) {
    const mesh::Geometry<1> geometry({.root_blocks = {{4}}, .block_cells = 8, .max_level = 1});
    const numerics::Prolongation rule{.order = numerics::ProlongOrder::parabolic};
    const PlanSettings settings{.n_ghosts = 3, .coarse_reach = rule.reach()};
    const auto roots = mesh::initial_forest(geometry, self.rank(), 2);
    const Mesh<1> before = make_mesh(roots, settings, self.collectives());
    const Mesh<1> after = make_mesh(
        mesh::regrid<1>(roots, std::vector<mesh::Key<1>>{{1, 3}, {1, 4}}, self.collectives()),
        settings, self.collectives());
    auto pools = make_pools(geometry);
    const State<1> old_state = make_state(before, 3, 2, pools);
    const State<1> new_state = make_state(after, 3, 2, pools);
    const auto for_each_cell = [&](const field::LevelField<1>& level, const auto& f) {
      for (std::size_t b = 0; b < level.size(); ++b)
        for_each(geometry.cells(level.keys()[b]), [&](const Index<1>& i) {
          for (int c = 0; c < 2; ++c) f(i[0], level.view(b)[c, i]);
        });
    };
    for_each_cell(old_state.cells[0], [&](int i, double& u) { u = mean(i, 1.0); });
    const exchange::BoundaryContext<Tracers<1>> boundary{
        {geometry, exchange::testing::boundaries(geometry), rule}};
    auto recorder = self.recorder();
    record_move(recorder, boundary, before, old_state, after, new_state, 1, settings, {}, 0.0,
                self.collectives());
    self.run(std::move(recorder));
    for_each_cell(new_state.cells[1],
                  [&](int i, double u) { EXPECT_NEAR(u, mean(i, 0.5), 1e-12) << i; });
  });
}

}  // namespace
}  // namespace thalweg::step
