// SPDX-License-Identifier: MIT
#include "../src/ghost_copies.hpp"

#include <array>
#include <iterator>
#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

Layout layout_of(int nx, int nv, int tile_x, int tile_v) {
  return {{.grid = {.nx = nx, .nv = nv, .length = 1, .v_max = 1},
           .initial = {},
           .tile_x = tile_x,
           .tile_v = tile_v,
           .time = {}},
          1};
}

TEST(GhostCopies, are_eight_where_neighbours_are_large) {
  EXPECT_EQ(ghost_copies(layout_of(64, 64, 16, 16), {1, 2}, 3, 3).size(), 8u);
}

TEST(GhostCopies, fill_every_ghost_once_from_the_point_it_is_of) {
  for (const auto& [nx, nv, tile_x, tile_v] : {std::array{64, 64, 16, 16}, std::array{10, 7, 4, 3},
                                               std::array{5, 2, 1, 1}, std::array{2, 3, 64, 64}}) {
    const Layout layout = layout_of(nx, nv, tile_x, tile_v);
    constexpr int halo_x = 5, halo_v = 4;
    for (int number = 0; number < layout.n_tiles(); ++number) {
      const TilePlace tile = layout.place(number);
      std::map<std::pair<int, int>, int> times;
      for (const GhostCopy& copy : ghost_copies(layout, tile, halo_x, halo_v))
        for (int i = 0; i < copy.nx; ++i)
          for (int j = 0; j < copy.nv; ++j) {
            const int x = layout.columns().begin(tile.column) + copy.to_i + i;
            const int v = layout.rows().begin(tile.row) + copy.to_j + j;
            EXPECT_EQ((x % nx + nx) % nx,
                      layout.columns().begin(copy.from.column) + copy.from_i + i);
            EXPECT_EQ((v % nv + nv) % nv, layout.rows().begin(copy.from.row) + copy.from_j + j);
            ++times[{copy.to_i + i, copy.to_j + j}];
          }
      const int own_x = layout.columns().size(tile.column), own_v = layout.rows().size(tile.row);
      EXPECT_EQ(std::ssize(times), (own_x + 2 * halo_x) * (own_v + 2 * halo_v) - own_x * own_v);
      for (const auto& [point, n] : times) EXPECT_EQ(n, 1) << point.first << ", " << point.second;
    }
  }
}

}  // namespace
}  // namespace thalweg::vlasov
