// SPDX-License-Identifier: MIT
#include <thalweg/core/centring.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr Box<2> cells{{{8, 4}}, {{16, 12}}};

TEST(Centring, has_one_more_point_on_each_axis_between_cells) {
  EXPECT_EQ(Centring<2>::cell().points(cells), cells);
  EXPECT_EQ(Centring<2>::node().points(cells), (Box<2>{{{8, 4}}, {{17, 13}}}));
  EXPECT_EQ(Centring<2>::face(1).points(cells), (Box<2>{{{8, 4}}, {{16, 13}}}));
}

TEST(Centring, knows_the_faces_of_an_axis) {
  EXPECT_TRUE(Centring<3>::face(2).is_face(2));
  EXPECT_FALSE(Centring<3>::face(2).is_face(1));
  EXPECT_FALSE(Centring<3>::node().is_face(0));
}

TEST(Centring, interpolation_reads_the_points_next_to_each) {
  const Centring<2> face = Centring<2>::face(0);
  EXPECT_EQ(face.coarsened({{{-3, -3}}, {{4, 4}}}, 2, 1), (Box<2>{{{-2, -3}}, {{3, 3}}}));
  EXPECT_EQ(face.coarsened({{{4, 4}}, {{5, 5}}}, 4, 1), (Box<2>{{{1, 0}}, {{2, 3}}}));
  EXPECT_EQ(Centring<2>::node().coarsened({{{1, 4}}, {{4, 6}}}, 4, 1),
            (Box<2>{{{0, 1}}, {{2, 3}}}));
}

TEST(Centring, coarse_points_come_of_points_on_them_and_of_whole_cells) {
  const Centring<2> face = Centring<2>::face(0);
  EXPECT_EQ(face.covered({{{8, 4}}, {{17, 12}}}, 4), (Box<2>{{{2, 1}}, {{5, 3}}}));
  EXPECT_EQ(face.covered({{{8, 4}}, {{16, 12}}}, 4), (Box<2>{{{2, 1}}, {{4, 3}}}));
  EXPECT_TRUE(face.covered({{{9, 4}}, {{12, 12}}}, 4).is_empty());
  EXPECT_EQ(face.covered({{{8, 3}}, {{17, 11}}}, 4), (Box<2>{{{2, 1}}, {{5, 2}}}));
}

}  // namespace
}  // namespace thalweg
