// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/objects.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

Extent cube(Vec<3> centre, double half) {
  return {centre - Vec<3>::filled(half), centre + Vec<3>::filled(half)};
}

Object object(int type, Vec<3> centre, Vec<3> size) {
  return {.type = type, .centre = centre, .size = size};
}

// Whether a point is inside a solid, from the solid's definition.
bool is_inside(const Object& o, const Vec<3>& x) {
  Vec<3> d;
  for (int a = 0; a < 3; ++a) d[a] = (x[a] - o.centre[a]) / o.size[a];
  if (o.type == 1) return std::ranges::all_of(d.at, [](double v) { return std::fabs(v) < 1; });
  if (o.type >= 20) {
    const int axis = (o.type - 21) / 2;
    const double r2 = dot(d, d) - d[axis] * d[axis];
    return std::fabs(d[axis]) < 1 && r2 < 1;
  }
  if (dot(d, d) >= 1) return false;
  if (o.type == 3) return true;
  const int axis = (o.type - 5) / 4;
  return (o.type - 5) % 4 == 0 ? d[axis] >= 0 : d[axis] <= 0;
}

// A block is hit where a point of it is inside: the point of the solid nearest to a block's corners
// and faces is found by a lattice of points, so only blocks that are clearly hit or missed count.
TEST(IsHit, a_volume_is_where_points_of_the_block_are_inside_it) {
  std::mt19937_64 random(7);
  const auto uniform = [&](double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(random);
  };
  int n_hit = 0;
  for (const int type : {1, 3, 5, 7, 9, 11, 13, 15, 21, 23, 25})
    for (int i = 0; i < 300; ++i) {
      const Object o = object(type, {uniform(.2, .8), uniform(.2, .8), uniform(.2, .8)},
                              {uniform(.1, .4), uniform(.1, .4), uniform(.1, .4)});
      const Extent block = cube({uniform(.1, .9), uniform(.1, .9), uniform(.1, .9)}, .06);
      bool has_inner_point = false;
      constexpr int n = 12;
      for (int p = 0; p < (n + 1) * (n + 1) * (n + 1); ++p) {
        Vec<3> x = block.lower;
        for (int a = 0, rest = p; a < 3; ++a, rest /= n + 1) x[a] += .12 * (rest % (n + 1)) / n;
        has_inner_point = has_inner_point || is_inside(o, x);
      }
      if (has_inner_point) {
        ++n_hit;
        EXPECT_TRUE(is_hit(o, block, Quirks::corrected)) << "type " << type << ", object " << i;
      }
    }
  EXPECT_GT(n_hit, 500);
}

TEST(IsHit, a_volume_is_not_where_no_point_is) {
  const Extent block = cube({.2, .2, .2}, .1);
  EXPECT_FALSE(is_hit(object(1, {.5, .2, .2}, {.1875, .5, .5}), block, Quirks::corrected));
  EXPECT_FALSE(is_hit(object(3, {.5, .5, .5}, {.34, .34, .34}), block, Quirks::corrected));
  EXPECT_TRUE(is_hit(object(3, {.5, .5, .5}, {.35, .35, .35}), block, Quirks::corrected));
  EXPECT_FALSE(is_hit(object(21, {.5, .5, .5}, {.1875, 1, 1}), block, Quirks::corrected));
  EXPECT_FALSE(is_hit(object(21, {.2, .5, .5}, {.2, .28, .28}), block, Quirks::corrected));
  EXPECT_FALSE(is_hit(object(5, {.5, .2, .2}, {.4, .4, .4}), block, Quirks::corrected));  // x+ half
  EXPECT_TRUE(is_hit(object(7, {.5, .2, .2}, {.4, .4, .4}), block, Quirks::corrected));   // x- half
}

TEST(IsHit, a_surface_is_where_points_are_on_either_side) {
  const Object sphere = object(2, {.5, .5, .5}, {.3, .3, .3});
  EXPECT_FALSE(is_hit(sphere, cube({.5, .5, .5}, .1), Quirks::corrected));
  EXPECT_TRUE(is_hit(sphere, cube({.5, .5, .8}, .1), Quirks::corrected));
  EXPECT_TRUE(is_hit(sphere, cube({.5, .5, .5}, .2), Quirks::corrected));
  for (int face = 0; face < 6; ++face) {
    const Object half = object(4 + 2 * face, sphere.centre, sphere.size);
    const Vec<3> outwards = Vec<3>::unit(face / 2) * (face % 2 == 0 ? .3 : -.3);
    EXPECT_TRUE(is_hit(half, cube(sphere.centre + outwards, .05), Quirks::corrected)) << face;
    EXPECT_FALSE(is_hit(half, cube(sphere.centre - outwards, .05), Quirks::corrected)) << face;
    EXPECT_FALSE(is_hit(half, cube(sphere.centre, .05), Quirks::corrected)) << "no lid";
  }
}

TEST(IsHit, the_surface_of_a_box_has_faces_in_z_but_in_the_reference) {
  const Object box = object(0, {.5, .5, .5}, {.3, .3, .3});
  const Extent on_top = cube({.5, .5, .8}, .05);
  const Extent beside = cube({.5, .95, .8}, .05);
  EXPECT_TRUE(is_hit(box, on_top, Quirks::corrected));
  EXPECT_FALSE(is_hit(box, beside, Quirks::corrected));
  EXPECT_FALSE(is_hit(box, on_top, Quirks::reference));
  EXPECT_TRUE(is_hit(box, beside, Quirks::reference));
  for (const Quirks quirks : {Quirks::corrected, Quirks::reference}) {
    EXPECT_TRUE(is_hit(box, cube({.8, .5, .5}, .05), quirks));
    EXPECT_TRUE(is_hit(box, cube({.5, .2, .5}, .05), quirks));
    EXPECT_FALSE(is_hit(box, cube({.5, .5, .5}, .05), quirks));
  }
}

TEST(IsHit, the_ends_of_a_cylinder_lie_along_its_axis_but_in_the_reference) {
  const Object along_z = object(24, {.5, .5, .5}, {.3, .3, .2});
  const Extent end = cube({.5, .5, .7}, .05);
  const Extent middle = cube({.5, .5, .5}, .05);
  EXPECT_TRUE(is_hit(along_z, end, Quirks::corrected));
  EXPECT_FALSE(is_hit(along_z, end, Quirks::reference));
  EXPECT_FALSE(is_hit(along_z, middle, Quirks::corrected));
  const Object along_x = object(20, {.5, .5, .5}, {.2, .3, .3});
  EXPECT_TRUE(is_hit(along_x, cube({.7, .5, .5}, .05), Quirks::reference));
}

TEST(IsHit, a_wall_within_a_block_is_not_seen_as_in_the_reference) {
  const Extent coarse = cube({.25, .25, .25}, .25);
  for (const Quirks quirks : {Quirks::corrected, Quirks::reference}) {
    EXPECT_FALSE(is_hit(object(0, {.3, .5, .5}, {.05, 2, 2}), coarse, quirks));
    EXPECT_FALSE(is_hit(object(20, {.3, .5, .5}, {.05, 2, 2}), coarse, quirks));
    EXPECT_TRUE(is_hit(object(1, {.3, .5, .5}, {.05, 2, 2}), coarse, quirks)) << "a volume is";
    EXPECT_TRUE(is_hit(object(0, {.5, .5, .5}, {.05, 2, 2}), coarse, quirks)) << "one face is here";
  }
}

TEST(IsHit, an_object_without_extent_touches_nothing_beside_it) {
  const Object needle = object(3, {.5, .5, .5}, {.4, 0, 0});
  EXPECT_TRUE(is_hit(needle, cube({.2, .5, .5}, .05), Quirks::corrected) &&
              !is_hit(needle, cube({.5, .6, .5}, .05), Quirks::corrected));
}

TEST(IsHit, an_object_with_a_negative_size_is_not_there) {
  EXPECT_FALSE(
      is_hit(object(3, {.5, .5, .5}, {.4, .4, -.01}), cube({.5, .5, .5}, .1), Quirks::corrected));
}

TEST(Advance, a_centre_bounces_off_the_walls) {
  Object o{.type = 2, .bounce = 1, .centre = {.9, .1, .5}, .movement = {.2, -.2, .1}};
  advance(o, 1, Quirks::corrected);
  EXPECT_DOUBLE_EQ(o.centre[0], .9);
  EXPECT_DOUBLE_EQ(o.centre[1], .1);
  EXPECT_DOUBLE_EQ(o.centre[2], .6);
  EXPECT_EQ(o.movement, (Vec<3>{-.2, .2, .1}));
}

TEST(Advance, an_edge_bounces_off_the_walls_but_in_the_reference) {
  Object o{.type = 2, .bounce = 2, .centre = {.7, .3, .5}, .movement = {.2, -.2, .1}};
  o.size = {.2, .2, .1};
  Object reference = o;
  advance(o, 1, Quirks::corrected);
  EXPECT_DOUBLE_EQ(o.centre[0], .8);
  EXPECT_DOUBLE_EQ(o.centre[1], .2);
  EXPECT_EQ(o.movement, (Vec<3>{-.2, .2, .1}));
  advance(reference, 1, Quirks::reference);
  EXPECT_DOUBLE_EQ(reference.centre[0], .9);
  EXPECT_EQ(reference.movement, (Vec<3>{.2, -.2, .1}));
}

TEST(Advance, goes_and_grows_by_the_span_of_time) {
  Object o{.type = 2, .centre = {.5, .5, .5}, .movement = {.1, 0, 0}};
  o.growth = {0, .2, 0};
  advance(o, .5, Quirks::corrected);
  EXPECT_EQ(o.centre, (Vec<3>{.55, .5, .5}));
  EXPECT_EQ(o.size, (Vec<3>{0, .1, 0}));
}

}  // namespace
}  // namespace thalweg::miniamr
