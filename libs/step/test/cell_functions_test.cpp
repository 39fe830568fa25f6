// SPDX-License-Identifier: MIT
#include <thalweg/step/cell_functions.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

struct Pair {
  double a;
  double b;
};

/// 24 x 8 cells on level 0 in the box [1, 4] x [0, 1], periodic along x.
mesh::Geometry<2> geometry() {
  mesh::Geometry<2>::Config config;
  config.lower = {{1.0, 0.0}};
  config.upper = {{4.0, 1.0}};
  config.root_blocks = {{3, 1}};
  config.block_cells = {{8, 8}};
  config.max_level = 1;
  config.periodic = {{true, false}};
  return mesh::Geometry<2>(config);
}

TEST(LevelContext, says_where_and_when_a_cell_is) {
  const auto g = geometry();
  const LevelContext<2> level{g, 1, 2.5};
  const auto cell = level.cell({{3, 5}});

  EXPECT_EQ(cell.centre, g.centre(1, {{3, 5}}));
  EXPECT_EQ(cell.dx, (Vec<2>{{3.0 / 48.0, 1.0 / 16.0}}));
  EXPECT_EQ(cell.level, 1);
  EXPECT_EQ(cell.time, 2.5);
}

TEST(LevelContext, of_a_ghost_cell_across_a_periodic_side_says_where_its_original_lies) {
  const auto g = geometry();
  const LevelContext<2> level{g, 1, 0.0};
  EXPECT_EQ(level.cell({{-1, 2}}).centre, level.cell({{47, 2}}).centre);
  EXPECT_EQ(level.cell({{50, 2}}).centre, level.cell({{2, 2}}).centre);
  EXPECT_LT(level.cell({{2, -1}}).centre[1], 0.0) << "the other axis does not wrap around";
}

TEST(LevelContext, keeps_what_it_needs_of_the_geometry) {
  auto g = geometry();
  const LevelContext<2> level{g, 1, 0.0};
  g = mesh::Geometry<2>();
  EXPECT_EQ(level.cell({{-1, 2}}).centre, geometry().centre(1, {{47, 2}}));
}

/// The cells of a block with two components, and a tag for each.
struct Block {
  Box<2> box = Box<2>::cube(6);
  std::vector<double> values = std::vector<double>(View<double, 2>::size_of(box, 2), 7.0);
  View<double, 2> cells{values.data(), box, 2};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(View<double, 2>::size_of(box, 1), 0);
  View<std::uint8_t, 2> tags{bytes.data(), box, 1};
};

TEST(InitialState, of_a_cell_sets_all_cells_of_a_region_and_no_others) {
  const auto g = geometry();
  const InitialState<Pair, 2> initial = [](const numerics::CellContext<2>& cell) {
    return Pair{cell.centre[0], cell.time + cell.level};
  };
  const Block block;
  const Box<2> region{{{1, 0}}, {{4, 5}}};
  const SetCells<2>& set = initial;
  set({g, 1, 0.25}, block.cells, region);

  for_each(block.box, [&](const Index<2>& i) {
    EXPECT_EQ((block.cells[0, i]), region.contains(i) ? g.centre(1, i)[0] : 7.0);
    EXPECT_EQ((block.cells[1, i]), region.contains(i) ? 1.25 : 7.0);
  });
  EXPECT_EQ(initial.of({{{3.5, 0.0}}, {}}).a, 3.5);
}

TEST(InitialState, of_a_block_is_asked_once) {
  const auto g = geometry();
  int n_calls = 0;
  const InitialState<Pair, 2> initial = SetCells<2>(
      [&](const LevelContext<2>& level, const View<double, 2>& cells, const Box<2>& region) {
        ++n_calls;
        for_each(region, [&](const Index<2>& i) { cells[1, i] = level.time; });
      });
  const Block block;
  const SetCells<2>& set = initial;
  set({g, 0, 0.5}, block.cells, block.box);

  EXPECT_EQ(n_calls, 1);
  EXPECT_EQ((block.cells[0, Index<2>{{3, 3}}]), 7.0);
  EXPECT_EQ((block.cells[1, Index<2>{{3, 3}}]), 0.5);
}

TEST(InitialState, of_nothing_says_so) {
  EXPECT_FALSE((InitialState<Pair, 2>{}));
  EXPECT_TRUE((InitialState<Pair, 2>{[](const auto&) { return Pair{}; }}));
}

TEST(SourceUpdate, of_a_cell_is_told_its_place_state_and_dt) {
  const auto g = geometry();
  const SourceUpdate<Pair, 2> source = [](const numerics::CellContext<2>& cell, Pair u, double dt) {
    return Pair{u.a + dt * cell.centre[0], cell.time + cell.level};
  };
  const Block block;
  const Box<2> region{{{1, 0}}, {{4, 5}}};
  source.on(g)(block.cells, region, {.level = 1, .time = 0.25, .dt = -2.0});

  for_each(block.box, [&](const Index<2>& i) {
    const bool is_in = region.contains(i);
    EXPECT_EQ((block.cells[0, i]), is_in ? 7.0 - 2.0 * g.centre(1, i)[0] : 7.0);
    EXPECT_EQ((block.cells[1, i]), is_in ? 1.25 : 7.0);
  });
}

TEST(SourceUpdate, of_whatever_it_is_given_is_of_a_cell) {
  const Block block;
  const SourceUpdate<Pair, 2> source = [](const auto&, auto u, auto dt) {
    u.a += dt;
    return u;
  };
  source.on(geometry())(block.cells, block.box, {.level = 0, .time = 0, .dt = 3.0});
  for_each(block.box, [&](const Index<2>& i) { EXPECT_EQ((block.cells[0, i]), 10.0); });
}

TEST(SourceUpdate, of_a_block_goes_through_it_as_it_likes) {
  const Block block;
  const SourceUpdate<Pair, 2> source = [](const auto& cells, const auto& region,
                                          const SourceStep& step) {
    cells[1, region.lo] += step.dt;
  };
  source.on(geometry())(block.cells, block.box, {.level = 0, .time = 0, .dt = 3.0});
  EXPECT_EQ((block.cells[1, block.box.lo]), 10.0);
}

TEST(SourceUpdate, of_nothing_says_so) {
  EXPECT_FALSE((SourceUpdate<Pair, 2>{}));
  EXPECT_FALSE((SourceUpdate<Pair, 2>{nullptr}));
  EXPECT_FALSE((SourceUpdate<Pair, 2>{SourceTerms<2>{}}));
  EXPECT_FALSE((SourceUpdate<Pair, 2>{}.on(geometry())));
  EXPECT_TRUE((SourceUpdate<Pair, 2>{[](const auto&, const Pair& u, double) { return u; }}));
}

TEST(LongestDt, of_a_cell_is_the_least_of_the_valid_ones) {
  const auto g = geometry();
  const Block block;
  for_each(block.box, [&](const Index<2>& i) { block.cells[0, i] = i[0]; });
  const LongestDt<Pair, 2> limit = [](const numerics::CellContext<2>& cell, const Pair& u) {
    return u.a + cell.time + 100 * cell.level + u.b;
  };
  const FindLongestDt<2>& find = limit;
  EXPECT_EQ(find({g, 1, 0.25}, block.cells, {{{2, 0}}, {{5, 6}}}), 2 + 100.25 + 7);
}

TEST(LongestDt, of_a_cell_that_has_no_number_is_none) {
  const Block block;
  for (const double odd : {1.0, 3.0}) {
    block.cells[0, {{2, 2}}] = odd;
    const LongestDt<Pair, 2> limit = [odd](const auto&, const Pair& u) {
      return u.a == odd ? std::numeric_limits<double>::quiet_NaN() : 2.0;
    };
    const FindLongestDt<2>& find = limit;
    EXPECT_TRUE(std::isnan(find({geometry(), 0, 0.0}, block.cells, block.box)));
  }
}

TEST(LongestDt, of_nothing_says_so) {
  EXPECT_FALSE((LongestDt<Pair, 2>{}));
  EXPECT_FALSE((LongestDt<Pair, 2>{FindLongestDt<2>{}}));
  EXPECT_TRUE((LongestDt<Pair, 2>{[](const auto&, const Pair&) { return 1.0; }}));
}

TEST(RefinementTags, of_a_cell_see_its_place_and_its_neighbours_and_leave_other_tags) {
  const auto g = geometry();
  const Block block;
  for_each(block.box, [&](const Index<2>& i) { block.cells[0, i] = i[0] < 3 ? 1.0 : 2.0; });
  block.tags[0, Index<2>{{4, 4}}] = 1;
  const Box<2> valid{{{1, 1}}, {{5, 5}}};
  const RefinementTags<Pair, 2> jumps = [](const auto& cell, const auto& here) {
    return here(0, +1).a > here().a && cell.centre[1] < 0.3;  // below the third row
  };
  const SetTags<2>& set = jumps;
  set({g, 0, 0.0}, block.cells, valid, block.tags);

  for_each(block.box, [&](const Index<2>& i) {
    const bool is_tagged = (i[0] == 2 && i[1] == 1) || i == Index<2>{{4, 4}};
    EXPECT_EQ((block.tags[0, i]), is_tagged ? 1 : 0) << i[0] << " " << i[1];
  });
}

TEST(RefinementTags, of_a_block_are_set_as_it_likes) {
  const auto g = geometry();
  const Block block;
  const RefinementTags<Pair, 2> first = [](const LevelContext<2>& level,
                                           const View<const double, 2>&, const Box<2>& valid,
                                           const View<std::uint8_t, 2>& tags) {
    if (level.level == 0) tags[0, valid.lo] = 1;
  };
  const SetTags<2>& set = first;
  set({g, 1, 0.0}, block.cells, block.box, block.tags);
  EXPECT_EQ((block.tags[0, block.box.lo]), 0);
  set({g, 0, 0.0}, block.cells, block.box, block.tags);
  EXPECT_EQ((block.tags[0, block.box.lo]), 1);
}

TEST(RefinementTags, of_nothing_say_so) {
  EXPECT_FALSE((RefinementTags<Pair, 2>{}));
  EXPECT_TRUE((RefinementTags<Pair, 2>{[](const auto&, const auto&) { return true; }}));
}

TEST(RefinedState, is_told_the_cell_now_its_state_and_that_at_the_start) {
  const auto g = geometry();
  const InitialState<Pair, 2> initial = [](const numerics::CellContext<2>& cell) {
    return Pair{cell.centre[0], 100 + cell.time};
  };
  const RefinedState<Pair, 2> refined = [](const auto& cell, const Pair& u, const Pair& at_start) {
    return Pair{at_start.a + u.a, at_start.b + 10 * cell.time};
  };
  const Block block;
  const Box<2> region{{{1, 0}}, {{4, 5}}};
  refined.of_block(initial)({g, 1, 0.25}, block.cells, region);

  for_each(block.box, [&](const Index<2>& i) {
    EXPECT_EQ((block.cells[0, i]), region.contains(i) ? g.centre(1, i)[0] + 7.0 : 7.0);
    EXPECT_EQ((block.cells[1, i]), region.contains(i) ? 102.5 : 7.0);
  });
  EXPECT_FALSE((RefinedState<Pair, 2>{}));
  EXPECT_FALSE((RefinedState<Pair, 2>{}.of_block(initial)));
}

}  // namespace
}  // namespace thalweg::step
