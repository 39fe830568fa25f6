// SPDX-License-Identifier: MIT
// The lines of README.md.
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/field/level_field.hpp>

namespace thalweg::field {
namespace {

TEST(Example, has_cells_and_faces_of_blocks) {
  const mesh::Geometry<3> geometry({.root_blocks = {{2, 2, 2}}, .block_cells = 16});
  const std::vector keys{mesh::key_at<3>(0, {{0, 0, 0}}), mesh::key_at<3>(0, {{1, 0, 1}})};
  const mesh::Key<3> key = keys[1];

  BlockPool pool(LevelField<3>::block_size(16, 3, 5));
  const LevelField<3> level(geometry, keys, 3, 5, pool);  // ghost width 3, 5 components
  const View<double, 3> u = level.view(*level.find(key));

  const auto centring = Centring<3>::face(0);
  BlockPool face_pool(LevelField<3>::block_size(16, 2, 1, centring));
  const LevelField<3> faces(geometry, keys, 2, 1, face_pool, centring);

  EXPECT_EQ(u.box(), (Box<3>{{{13, -3, 13}}, {{35, 19, 35}}}));
  EXPECT_EQ(u.n_components(), 5);
  EXPECT_EQ(faces.view(1).box(), (Box<3>{{{14, -2, 14}}, {{35, 18, 34}}}));
}

}  // namespace
}  // namespace thalweg::field
