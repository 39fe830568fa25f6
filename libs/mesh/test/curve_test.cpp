// SPDX-License-Identifier: MIT
#include <thalweg/mesh/curve.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
void expect_order(const Index<D>& root_blocks, const Ratios& ratio, Curve curve) {
  const Geometry<D> geometry({.root_blocks = root_blocks, .ratio = ratio, .max_level = 2});
  for (int level = 0; level < 3; ++level) {
    std::vector<std::pair<std::uint64_t, Key<D>>> blocks;
    for_each(Box<D>{{}, geometry.blocks_at(level)}, [&](const Index<D>& place) {
      const Key<D> key = key_at(level, place);
      blocks.emplace_back(curve_position(geometry, curve, key), key);
    });
    std::sort(blocks.begin(), blocks.end());
    EXPECT_EQ(blocks.front().first, 0u);

    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto& [position, key] = blocks[i];
      const std::uint64_t end = position + curve_length(geometry, level);
      EXPECT_LE(end, i + 1 < blocks.size() ? blocks[i + 1].first : curve_end(geometry));
      EXPECT_EQ(nth_block(geometry, curve, level, static_cast<std::int64_t>(i)), key);
      if (level == 2) continue;
      std::vector<std::uint64_t> inner;
      for (const Key<D>& c : children(key, geometry.ratio(level)))
        inner.push_back(curve_position(geometry, curve, c));
      std::sort(inner.begin(), inner.end());
      for (std::size_t c = 0; c < inner.size(); ++c)
        EXPECT_EQ(inner[c], position + c * curve_length(geometry, level + 1));
    }
  }
}

TEST(Curve, blocks_take_disjoint_ranges_that_their_children_share) {
  for (const Curve curve : {Curve::morton, Curve::hilbert})
    for (const Ratios& ratio : {Ratios{2}, Ratios{4}, Ratios{2, 4}, Ratios{4, 2}}) {
      expect_order<1>({5}, ratio, curve);
      expect_order<2>({3, 2}, ratio, curve);
      expect_order<2>({1, 1}, ratio, curve);
      expect_order<3>({1, 2, 3}, ratio, curve);
    }
}

// Also where a level is no cube.
template <int D>
void expect_codes_in_order(const Index<D>& root_blocks) {
  std::vector<std::uint64_t> codes;
  for_each(Box<D>{{}, root_blocks}, [&](const Index<D>& i) { codes.push_back(morton_encode(i)); });
  std::sort(codes.begin(), codes.end());
  const Geometry<D> geometry({.root_blocks = root_blocks});
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(nth_block(geometry, Curve::morton, 0, static_cast<std::int64_t>(i)).code, codes[i]);
}

TEST(Curve, blocks_of_mortons_follow_each_other_by_code) {
  expect_codes_in_order<1>({13});
  expect_codes_in_order<2>({5, 3});
  expect_codes_in_order<2>({1, 9});
  expect_codes_in_order<3>({3, 5, 2});
}

TEST(Curve, hilbert_neighbours_touch_where_the_domain_is_a_cube) {
  const Geometry<3> geometry({.root_blocks = {4, 4, 4}, .max_level = 1});
  Index<3> last = coordinates(nth_block(geometry, Curve::hilbert, 1, 0));
  for (std::int64_t i = 1; i < 512; ++i) {
    const Index<3> place = coordinates(nth_block(geometry, Curve::hilbert, 1, i));
    const Index<3> step = place - last;
    EXPECT_EQ(dot(step, step), 1);
    last = place;
  }
}

TEST(Curve, positions_of_the_finest_level_allowed_fit_into_a_word) {
  const Geometry<3> geometry({.root_blocks = {2, 2, 2}, .block_cells = 8, .max_level = 20});
  EXPECT_EQ(curve_end(geometry), std::uint64_t{1} << 63);
  const Key<3> last = key_at(20, Index<3>::filled((1 << 21) - 1));
  EXPECT_EQ(curve_position(geometry, Curve::morton, last), curve_end(geometry) - 1);
}

TEST(Curve, a_level_has_no_more_blocks_than_it_has) {
  const Geometry<2> geometry({.root_blocks = {3, 1}});
  EXPECT_THROW(nth_block(geometry, Curve::morton, 0, 3), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
