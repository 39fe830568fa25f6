// SPDX-License-Identifier: MIT
#include <thalweg/mesh/refine.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::mesh {
namespace {

// Cell by cell: grow, wrap, and see whose child each cell belongs to.
template <int D>
std::vector<Key<D>> wanted_slowly(const Geometry<D>& geometry, const Key<D>& block,
                                  View<const std::uint8_t, D> tags, int buffer) {
  const Index<D> domain = geometry.domain_cells(block.level).hi;
  const Index<D> part = floor_div(geometry.block_cells(), geometry.ratio(block.level));
  std::set<Key<D>> wanted;
  for_each(geometry.cells(block), [&](const Index<D>& tagged) {
    if (tags[0, tagged] == 0) return;
    const Box<D> around = Box<D>{tagged, tagged + Index<D>::filled(1)}.grown(buffer);
    for_each(around, [&](Index<D> cell) {
      for (int a = 0; a < D; ++a)
        if (geometry.is_periodic(a)) cell[a] = (cell[a] + 8 * domain[a]) % domain[a];
      if (geometry.domain_cells(block.level).contains(cell))
        wanted.insert(key_at(block.level + 1, floor_div(cell, part)));
    });
  });
  return {wanted.begin(), wanted.end()};
}

template <int D>
void expect_agreement(const Ratios& ratio, std::uint64_t seed) {
  SplitMix64 random(seed);
  typename Geometry<D>::Config config{.ratio = ratio, .max_level = 2};
  for (int a = 0; a < D; ++a) {
    config.root_blocks[a] = 1 + static_cast<int>(random.below(2));
    config.periodic[a] = random.below(2) == 0;
    config.block_cells[a] = random.below(2) == 0 ? 12 : 8;
  }
  const Geometry<D> geometry(config);
  Index<D> place;
  for (int a = 0; a < D; ++a)
    place[a] = static_cast<int>(random.below(static_cast<std::uint64_t>(geometry.blocks_at(1)[a])));
  const Key<D> block = key_at(1, place);
  std::vector<std::uint8_t> tags(View<std::uint8_t, D>::size_of(geometry.cells(block), 1));
  for (int i = 0; i < 3; ++i) tags[random.below(tags.size())] = 1;
  const View<const std::uint8_t, D> view(tags.data(), geometry.cells(block), 1);
  const auto widest = static_cast<std::uint64_t>(geometry.block_cells().fewest());
  const int buffer = static_cast<int>(random.below(widest + 1));

  EXPECT_EQ(wanted_children(geometry, block, view, buffer),
            wanted_slowly(geometry, block, view, buffer))
      << D << "D ratio " << ratio.text() << " seed " << seed << " buffer " << buffer;
}

TEST(WantedChildren, agree_with_growing_cell_by_cell) {
  for (const Ratios& ratio : {Ratios{2}, Ratios{4}, Ratios{2, 4}, Ratios{4, 2}})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      expect_agreement<1>(ratio, seed);
      expect_agreement<2>(ratio, seed);
      if (seed < 5) expect_agreement<3>(ratio, seed);
    }
}

TEST(WantedChildren, nothing_tagged_wants_nothing) {
  const Geometry<2> geometry({.block_cells = 8, .max_level = 1});
  const std::vector<std::uint8_t> tags(64);
  const View<const std::uint8_t, 2> view(tags.data(), Box<2>::cube(8), 1);

  EXPECT_TRUE(wanted_children(geometry, {0, 0}, view, 8).empty());
}

TEST(WantedChildren, tags_may_lie_on_more_than_the_block) {
  const Geometry<1> geometry({.block_cells = 8, .max_level = 1});
  std::vector<std::uint8_t> tags(12, 1);  // ghost cells' tags do not count
  const View<std::uint8_t, 1> view(tags.data(), Box<1>::cube(8).grown(2), 1);
  for (int i = 0; i < 8; ++i) view[0, Index<1>{i}] = i == 6;

  EXPECT_EQ(wanted_children(geometry, {0, 0}, view, 0), (std::vector<Key<1>>{{1, 1}}));
}

TEST(WantedChildren, the_finest_level_and_wide_buffers_are_broken_contracts) {
  const Geometry<1> geometry({.block_cells = 8, .max_level = 1});
  const std::vector<std::uint8_t> tags(8);
  const View<const std::uint8_t, 1> view(tags.data(), Box<1>::cube(8), 1);

  EXPECT_THROW(wanted_children(geometry, {1, 0}, view, 0), ContractViolation);
  EXPECT_THROW(wanted_children(geometry, {0, 0}, view, 9), ContractViolation);
}

TEST(Buffers, are_one_for_all_levels_or_one_for_each_and_the_last_for_finer_ones) {
  const Buffers one = 3, each{1, 2, 8}, of_deck(std::vector<std::int64_t>{1, 2, 8});
  for (int l = 0; l < 5; ++l) {
    EXPECT_EQ(one.of(l), 3);
    EXPECT_EQ(each.of(l), (std::vector{1, 2, 8, 8, 8}[static_cast<std::size_t>(l)]));
    EXPECT_EQ(of_deck.of(l), each.of(l));
  }
  EXPECT_EQ(each.given(), (std::vector{1, 2, 8}));
  EXPECT_THROW(one.of(-1), ContractViolation);
  EXPECT_THROW(Buffers(std::vector<std::int64_t>{}), ContractViolation);
  EXPECT_THROW(Buffers(std::vector{std::int64_t{1} << 32}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
