// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/lattice.hpp>

#include <vector>

#include <gtest/gtest.h>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

using mesh::key_at;

constexpr Lattice lattice{{3, 1, 2}, 2};

TEST(Lattice, measures_in_half_widths_of_finest_blocks) {
  EXPECT_EQ(lattice.width(0), 24);
  EXPECT_EQ(lattice.width(1), 8);
  EXPECT_EQ(lattice.half_width(0), 4);
  EXPECT_EQ(lattice.half_width(2), 1);
  EXPECT_EQ(lattice.centre(key_at<3>(0, {2, 0, 1})), (Index<3>{20, 4, 12}));
  EXPECT_EQ(lattice.centre(key_at<3>(2, {11, 3, 0})), (Index<3>{23, 7, 1}));
}

TEST(Lattice, extents_are_parts_of_the_unit_cube) {
  const Extent e = lattice.extent(key_at<3>(1, {1, 1, 3}));
  EXPECT_EQ(e.lower, (Vec<3>{4.0 / 24, .5, .75}));
  EXPECT_EQ(e.upper, (Vec<3>{8.0 / 24, 1, 1}));
}

TEST(MeshRules, balance_faces_and_follow_the_placements_curve) {
  const auto rules = [](const std::string& line) {
    return mesh_rules(parse_options(testing::words_of("--init_x 2 --num_refine 3 " + line), 1));
  };
  EXPECT_EQ(rules("").balance, mesh::Adjacency::faces);
  EXPECT_EQ(rules("").geometry.max_level(), 3);
  EXPECT_EQ(rules("").curve, mesh::Curve::morton);
  EXPECT_EQ(rules("--trunc_hilbert").curve, mesh::Curve::hilbert);
}

TEST(MeshHash, is_the_specifications_and_adds_up) {
  // The mesh of reference case no_refine with --uniform_refine 1, and its two root blocks.
  const std::vector<mesh::Key<3>> both{key_at<3>(0, {0, 0, 0}), key_at<3>(0, {1, 0, 0})};
  EXPECT_EQ(mesh_hash(both), 0x26b43236031ab634u);
  const std::span all(both);
  EXPECT_EQ(mesh_hash(all.first(1)) + mesh_hash(all.subspan(1)), mesh_hash(both));
  EXPECT_NE(mesh_hash(all.first(1)), mesh_hash(all.subspan(1)));
}

}  // namespace
}  // namespace thalweg::miniamr
