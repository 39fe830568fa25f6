// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/regions.hpp>

#include <gtest/gtest.h>

#include <thalweg/mesh/offsets.hpp>

namespace thalweg::exchange {
namespace {

template <int D>
void expect_tiling(int n_ghosts) {
  const Box<D> cells = Box<D>::cube(8).shifted(Index<D>::filled(16));
  std::int64_t n_cells = 0;
  for (int o = 0; o < mesh::n_offsets<D>; ++o) {
    const Box<D> region = ghost_region(cells, mesh::offset_at<D>(o), n_ghosts);
    EXPECT_TRUE(cells.grown(n_ghosts).contains(region));
    EXPECT_EQ(intersect(region, cells).is_empty(), o != mesh::centre_offset<D>);
    n_cells += region.n_cells();
  }
  EXPECT_EQ(n_cells, cells.grown(n_ghosts).n_cells());
}

TEST(GhostRegion, regions_of_all_offsets_tile_the_grown_block) {
  for (const int n_ghosts : {1, 3, 8}) {
    expect_tiling<1>(n_ghosts);
    expect_tiling<2>(n_ghosts);
    expect_tiling<3>(n_ghosts);
  }
  EXPECT_EQ(ghost_region<2>(Box<2>::cube(8), {-1, 1}, 2), (Box<2>{{-2, 8}, {0, 10}}));
}

TEST(CoarseFootprint, has_one_cell_more_on_all_sides) {
  EXPECT_EQ(coarse_footprint<1>({{-3}, {0}}, 2, 1), (Box<1>{{-3}, {1}}));
  EXPECT_EQ(coarse_footprint<1>({{8}, {9}}, 4, 2), (Box<1>{{0}, {5}}));
}

}  // namespace
}  // namespace thalweg::exchange
