// SPDX-License-Identifier: MIT
#include <thalweg/mesh/geometry.hpp>

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::mesh {
namespace {

using Config2 = Geometry<2>::Config;

Config2 channel() {
  return {.lower = {-1.0, 0.0},
          .upper = {2.0, 1.0},
          .root_blocks = {3, 1},
          .block_cells = 8,
          .ratio = 2,
          .max_level = 3,
          .periodic = {true, false}};
}

TEST(Geometry, cells_shrink_by_the_ratio) {
  const Geometry<2> geometry(channel());

  EXPECT_EQ(geometry.cell_size(0), (Vec<2>{0.125, 0.125}));
  EXPECT_EQ(geometry.cell_size(3), (Vec<2>{0.015625, 0.015625}));
  EXPECT_EQ(geometry.centre(0, {0, 7}), (Vec<2>{-0.9375, 0.9375}));
  EXPECT_EQ(geometry.blocks_at(2), (Index<2>{12, 4}));
  EXPECT_EQ(geometry.domain_cells(1), (Box<2>{{0, 0}, {48, 16}}));
}

TEST(Geometry, finds_the_cell_and_the_block_of_a_point) {
  Config2 config = channel();
  config.ratio = {2, 4, 2};
  const Geometry<2> geometry(config);
  const Vec<2> lower = config.lower;

  EXPECT_EQ(geometry.cell_at(0, geometry.centre(0, {5, 7})), (Index<2>{5, 7}));
  EXPECT_EQ(geometry.cell_at(0, lower + Vec<2>{0.125, 0.0}), (Index<2>{1, 0})) << "the upper one";
  EXPECT_EQ(geometry.cell_at(0, config.upper), geometry.domain_cells(0).hi - Index<2>::filled(1));
  EXPECT_EQ(geometry.cell_at(0, lower - Vec<2>::filled(9)), (Index<2>{0, 0}));
  EXPECT_EQ(geometry.block_of(0, {8, 7}), key_at<2>(0, {1, 0}));
  // At faces of the finest level, where rounding could part the levels.
  for (int i = 0; i < geometry.domain_cells(3).hi[0]; ++i) {
    const Vec<2> x{lower[0] + i * geometry.cell_size(3)[0], lower[1] + 0.3};
    for (int l = 0; l < 3; ++l)
      EXPECT_EQ(geometry.cell_at(l, x), floor_div(geometry.cell_at(l + 1, x), geometry.ratio(l)));
  }
}

TEST(Geometry, a_point_at_a_face_is_in_the_upper_cell_however_its_place_is_rounded) {
  const Geometry<1> geometry({.upper = {1.0}, .block_cells = 10, .max_level = 3});
  for (int l = 0; l <= 3; ++l)
    for (int i = 0; i < 10 << l; ++i)
      EXPECT_EQ(geometry.cell_at(l, {i / (10.0 * (1 << l))})[0], i);  // 0.3 / 0.1 is less than 3
  EXPECT_EQ(geometry.cell_at(0, {0.3 - 1e-6})[0], 2);
}

TEST(Geometry, cells_shrink_by_each_levels_own_ratio) {
  Config2 config = channel();
  config.ratio = {2, 4, 2};
  const Geometry<2> geometry(config);

  EXPECT_EQ(geometry.ratio(0), 2);
  EXPECT_EQ(geometry.ratio(1), 4);
  EXPECT_EQ(geometry.ratio_to_root(3), 16);
  EXPECT_EQ(geometry.cell_size(2), (Vec<2>{0.015625, 0.015625}));
  EXPECT_EQ(geometry.blocks_at(1), (Index<2>{6, 2}));
  EXPECT_EQ(geometry.blocks_at(2), (Index<2>{24, 8}));
  EXPECT_EQ(geometry.parent(key_at<2>(2, {23, 5})), key_at<2>(1, {5, 1}));
  EXPECT_EQ(geometry.ancestor(key_at<2>(3, {47, 11}), 0), key_at<2>(0, {2, 0}));
  EXPECT_THROW(geometry.parent(key_at<2>(0, {0, 0})), ContractViolation);
}

TEST(Geometry, does_not_ask_how_its_ratios_were_given) {
  Config2 one = channel();
  Config2 each = channel();
  each.ratio = {2, 2, 2};
  EXPECT_EQ(Geometry<2>(one), Geometry<2>(each));
  each.ratio = {2, 2, 4};
  EXPECT_NE(Geometry<2>(one), Geometry<2>(each));
}

TEST(Geometry, names_the_level_that_mixed_ratios_take_too_deep) {
  // 8 cells of 2^3 4^11 blocks are 2^28: the next level would have 2^30.
  std::vector<std::int64_t> numbers{2, 2, 2};
  numbers.resize(14, 4);
  Geometry<1>::Config config{.block_cells = 8, .ratio = Ratios(numbers), .max_level = 14};
  EXPECT_NO_THROW(Geometry<1>{config});
  numbers.push_back(4);
  config.ratio = Ratios(numbers);
  config.max_level = 15;
  try {
    Geometry<1> geometry(config);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("level 15 has 134217728 blocks along x"),
              std::string::npos)
        << e.what();
  }
}

TEST(Geometry, blocks_tile_the_domain) {
  const Geometry<2> geometry(channel());
  std::int64_t n_cells = 0;
  for_each(Box<2>{{}, geometry.blocks_at(1)}, [&](const Index<2>& place) {
    const Key<2> key = key_at(1, place);
    EXPECT_TRUE(geometry.contains(key));
    EXPECT_LT(key.code, geometry.code_end(1));
    EXPECT_TRUE(geometry.domain_cells(1).contains(geometry.cells(key)));
    n_cells += geometry.cells(key).n_cells();
  });
  EXPECT_EQ(n_cells, geometry.domain_cells(1).n_cells());
  EXPECT_FALSE(geometry.contains(key_at<2>(1, {6, 0})));
  EXPECT_FALSE(geometry.contains(key_at<2>(4, {0, 0})));
}

TEST(Geometry, blocks_may_be_longer_on_one_axis_than_on_another) {
  Config2 config = channel();
  config.block_cells = {16, 24};
  const Geometry<2> geometry(config);

  EXPECT_EQ(geometry.cell_size(0), (Vec<2>{3.0 / 48, 1.0 / 24}));
  EXPECT_EQ(geometry.domain_cells(1), (Box<2>{{0, 0}, {96, 48}}));
  EXPECT_EQ(geometry.cells(key_at<2>(1, {2, 1})), (Box<2>{{32, 24}, {48, 48}}));
  EXPECT_EQ(geometry.wrap_shift(key_at<2>(0, {0, 0}), {-1, 0}), (Index<2>{48, 0}));
  EXPECT_EQ(geometry.block_cells().fewest(), 16);
}

TEST(Geometry, neighbours_wrap_on_periodic_axes_only) {
  const Geometry<2> geometry(channel());
  const Key<2> left = key_at<2>(0, {0, 0});

  EXPECT_EQ(geometry.neighbour(left, {-1, 0}), key_at<2>(0, {2, 0}));
  EXPECT_EQ(geometry.wrap_shift(left, {-1, 0}), (Index<2>{24, 0}));
  EXPECT_EQ(geometry.wrap_shift(left, {1, 0}), (Index<2>{}));
  EXPECT_EQ(geometry.neighbour(left, {-1, 1}), std::nullopt);
}

TEST(Geometry, neighbours_are_one_place_further) {
  Geometry<3>::Config config;
  config.root_blocks = {{3, 1, 4}};
  config.max_level = 2;
  config.periodic = {{true, false, true}};
  const Geometry<3> geometry(config);
  for (int level = 0; level <= 2; ++level) {
    const Index<3> blocks = geometry.blocks_at(level);
    int n_wrong = 0;
    for_each(Box<3>{{}, blocks}, [&](const Index<3>& place) {
      for (int o = 0; o < n_offsets<3>; ++o) {
        const Index<3> further = place + offset_at<3>(o);
        const auto neighbour = geometry.neighbour(key_at(level, place), offset_at<3>(o));
        const bool is_inside = further[1] >= 0 && further[1] < blocks[1];
        n_wrong += neighbour.has_value() != is_inside;
        if (!neighbour) continue;
        n_wrong += neighbour->level != level;
        for (int a = 0; a < 3; ++a)
          n_wrong += coordinates(*neighbour)[a] != (further[a] + blocks[a]) % blocks[a];
      }
    });
    EXPECT_EQ(n_wrong, 0) << "level " << level;
  }
}

TEST(Geometry, shift_leads_from_ghost_cells_to_the_neighbours_cells) {
  Config2 config = channel();
  config.periodic = {true, true};
  config.block_cells = {8, 12};
  const Geometry<2> geometry(config);
  for_each(Box<2>{{}, geometry.blocks_at(1)}, [&](const Index<2>& place) {
    const Key<2> key = key_at(1, place);
    for (int o = 0; o < n_offsets<2>; ++o) {
      const Index<2> offset = offset_at<2>(o);
      const Box<2> beside = geometry.cells(key).shifted(offset * Index<2>{8, 12});
      EXPECT_EQ(beside.shifted(geometry.wrap_shift(key, offset)),
                geometry.cells(*geometry.neighbour(key, offset)));
    }
  });
}

TEST(Geometry, one_block_is_its_own_periodic_neighbour) {
  Geometry<1>::Config config;
  config.periodic = {true};
  const Geometry<1> ring(config);

  EXPECT_EQ(ring.neighbour({0, 0}, {1}), (Key<1>{0, 0}));
  EXPECT_EQ(ring.wrap_shift({0, 0}, {1}), (Index<1>{-16}));
  EXPECT_EQ(ring.wrap_shift({0, 0}, {-1}), (Index<1>{16}));
}

void expect_error(const Config2& config, const std::string& data) {
  try {
    Geometry<2> geometry(config);
    ADD_FAILURE() << "accepted what should name " << data;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(data), std::string::npos) << e.what();
  }
}

TEST(Geometry, bad_requests_are_named) {
  const auto with = [](auto change) {
    Config2 config = channel();
    change(config);
    return config;
  };
  expect_error(
      with([](Config2& c) { c.ratio = {2, 4}; }),
      "mesh.ratio = 2 4 with mesh.max_level = 3 (one number is for all levels, several are one for "
      "each level but the finest); give 1 or 3 numbers");
  expect_error(with([](Config2& c) { c.ratio = {2, 4}, c.max_level = 0; }), "give 1 number");
  expect_error(with([](Config2& c) { c.block_cells = 10, c.ratio = {2, 4, 2}; }),
               "mesh.block_cells = 10 along x (must be in 8..64 and divisible by mesh.ratio = 4)");
  expect_error(with([](Config2& c) { c.block_cells = 10, c.ratio = {2, 2, 4}; }),
               "divisible by mesh.ratio = 4");
  expect_error(with([](Config2& c) { c.block_cells = 9; }), "block_cells = 9");
  expect_error(with([](Config2& c) { c.block_cells = 6; }), "block_cells = 6");
  expect_error(with([](Config2& c) { c.block_cells = 66; }), "block_cells = 66");
  expect_error(with([](Config2& c) { c.block_cells = 10, c.ratio = 4; }), "block_cells = 10");
  expect_error(with([](Config2& c) { c.block_cells = {8, 14}, c.ratio = 4; }),
               "block_cells = 14 along y");
  expect_error(with([](Config2& c) { c.max_level = -1; }), "mesh.max_level = -1");
  expect_error(with([](Config2& c) { c.max_level = 29; }), "max_level = 29");
  expect_error(with([](Config2& c) { c.root_blocks[1] = 0; }), "mesh.root_blocks = 0 along y");
  expect_error(with([](Config2& c) { c.upper[0] = -1.0; }),
               "mesh.lower = -1 and mesh.upper = -1 along x (");
  expect_error(with([](Config2& c) { c.upper[1] = std::numeric_limits<double>::infinity(); }),
               "mesh.upper = inf along y (its length must be positive and finite); make "
               "mesh.lower less than mesh.upper");
}

}  // namespace
}  // namespace thalweg::mesh
