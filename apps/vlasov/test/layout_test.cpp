// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::vlasov {
namespace {

Settings square(int n, int tile, Decomposition decomposition) {
  return {.grid = {.nx = n, .nv = n, .length = 1, .v_max = 1},
          .initial = {},
          .tile_x = tile,
          .tile_v = tile,
          .decomposition = decomposition,
          .time = {}};
}

TEST(Layout, gives_every_tile_one_owner_and_ranks_about_as_many) {
  for (const auto decomposition :
       {Decomposition::blocks, Decomposition::v, Decomposition::x, Decomposition::round_robin})
    for (const int n_ranks : {1, 2, 3, 4, 6, 8}) {
      const Layout layout(square(100, 7, decomposition), n_ranks);
      std::size_t n_tiles = 0, least = 1000, most = 0;
      for (int r = 0; r < n_ranks; ++r) {
        const std::size_t n = layout.tiles_of(Rank(r)).size();
        n_tiles += n;
        least = std::min(least, n);
        most = std::max(most, n);
      }
      EXPECT_EQ(n_tiles, 15u * 15u);
      EXPECT_LE(most, 2 * least);
    }
}

struct LayoutOfRanks {
  Layout layout;
  int n_ranks;
};

/// Layouts of random shapes, of all decompositions.
std::vector<LayoutOfRanks> random_layouts(int n) {
  SplitMix64 random(17);
  const auto below = [&](int most) {
    return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
  };
  std::vector<LayoutOfRanks> layouts;
  for (int i = 0; i < n; ++i)
    for (const auto decomposition :
         {Decomposition::blocks, Decomposition::v, Decomposition::x, Decomposition::round_robin}) {
      Settings settings = square(1, 1, decomposition);
      settings.grid.nx = below(40);
      settings.grid.nv = below(40);
      settings.tile_x = below(6);
      settings.tile_v = below(6);
      const int n_ranks = below(70);
      layouts.push_back({Layout(settings, n_ranks), n_ranks});
    }
  return layouts;
}

TEST(Layout, gives_a_rank_the_tiles_of_which_it_is_the_owner) {
  for (const auto& [layout, n_ranks] : random_layouts(50))
    for (int r = 0; r < n_ranks; ++r) {
      std::vector<TilePlace> expected;
      for (int i = 0; i < layout.n_tiles(); ++i)
        if (layout.owner(layout.place(i)) == Rank(r)) expected.push_back(layout.place(i));
      EXPECT_EQ(layout.tiles_of(Rank(r)), expected) << "rank " << r;
    }
}

// As it is in a prediction, where each rank asks.
TEST(Layout, of_a_million_ranks_tells_each_its_tiles_at_once) {
  for (const auto decomposition : {Decomposition::blocks, Decomposition::round_robin}) {
    const Layout layout(square(4096, 4, decomposition), 1 << 20);
    std::size_t n_tiles = 0;
    for (int r = 0; r < 1 << 20; ++r) n_tiles += layout.tiles_of(Rank(r)).size();
    EXPECT_EQ(n_tiles, std::size_t{1} << 20);
  }
}

TEST(Layout, leaves_ranks_without_tiles_where_there_are_too_few) {
  const Layout layout(square(8, 4, Decomposition::blocks), 7);

  EXPECT_EQ(layout.tiles_of(Rank(0)).size(), 1u);
  EXPECT_TRUE(layout.tiles_of(Rank(6)).empty());
}

TEST(Layout, cuts_rectangles_with_short_edges) {
  const Layout layout(square(256, 16, Decomposition::blocks), 4);

  EXPECT_EQ(layout.owner({0, 0}), layout.owner({7, 7}));
  EXPECT_NE(layout.owner({0, 0}), layout.owner({8, 0}));
  EXPECT_NE(layout.owner({0, 0}), layout.owner({0, 8}));
}

TEST(Slabs, are_columns_with_the_same_owners) {
  const auto all = slabs(Layout(square(256, 16, Decomposition::blocks), 4));

  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].begin, 128);
  EXPECT_EQ(all[1].end, 256);
  EXPECT_EQ(all[1].first_column, 8);
  EXPECT_EQ(slabs(Layout(square(256, 16, Decomposition::v), 4)).size(), 1u);
  EXPECT_EQ(slabs(Layout(square(256, 16, Decomposition::round_robin), 5)).size(), 16u);
}

TEST(Slabs, have_the_same_owners_in_all_rows_and_their_neighbours_have_others) {
  for (const auto& [layout, n_ranks] : random_layouts(50)) {
    const auto owners_of = [&](int column) {
      std::vector<Rank> owners;
      for (int row = 0; row < layout.rows().n_parts(); ++row)
        owners.push_back(layout.owner({column, row}));
      return owners;
    };
    int next = 0;
    for (const Slab& slab : slabs(layout)) {
      ASSERT_EQ(slab.first_column, next);
      if (next > 0) {
        EXPECT_NE(owners_of(next), owners_of(next - 1));
      }
      for (; next < slab.last_column; ++next)
        EXPECT_EQ(owners_of(next), owners_of(slab.first_column));
      EXPECT_EQ(slab.root, layout.owner({slab.first_column, 0}));
    }
    EXPECT_EQ(next, layout.columns().n_parts());
  }
}

}  // namespace
}  // namespace thalweg::vlasov
