// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/layout.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace thalweg::vlasov
