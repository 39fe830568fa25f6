// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <thalweg/field/level_field.hpp>

namespace thalweg::field {
namespace {

mesh::Geometry<2> geometry() {
  return mesh::Geometry<2>({.root_blocks = {{4, 4}}, .block_cells = 8, .max_level = 2});
}

TEST(LevelField, views_have_the_cells_of_their_keys_and_ghosts) {
  const auto g = geometry();
  const std::vector keys{mesh::key_at<2>(1, {{0, 0}}), mesh::key_at<2>(1, {{3, 2}})};
  BlockPool pool(LevelField<2>::block_size(8, 3, 4));

  const LevelField<2> level(g, keys, 3, 4, pool);

  ASSERT_EQ(level.size(), 2u);
  EXPECT_EQ(level.view(1).box(), (Box<2>{{{21, 13}}, {{35, 27}}}));
  EXPECT_EQ(level.view(1).n_components(), 4);
}

TEST(LevelField, views_of_blocks_that_are_no_cubes_fit_into_the_size_of_a_block) {
  const mesh::Geometry<2> g({.root_blocks = {{4, 4}}, .block_cells = {8, 12}});
  const std::vector keys{mesh::key_at<2>(0, {{0, 0}}), mesh::key_at<2>(0, {{3, 2}})};
  const std::size_t size = LevelField<2>::block_size({8, 12}, 3, 4);
  BlockPool pool(size);

  const LevelField<2> level(g, keys, 3, 4, pool);

  EXPECT_EQ(level.view(1).box(), (Box<2>{{{21, 21}}, {{35, 39}}}));
  EXPECT_EQ(level.view(1).size(), size);
}

TEST(LevelField, views_have_one_more_point_on_axes_between_cells) {
  const auto g = geometry();
  const std::vector keys{mesh::key_at<2>(1, {{3, 2}})};
  const auto nodes = Centring<2>::node();
  const auto faces = Centring<2>::face(1);
  BlockPool pool(LevelField<2>::block_size(8, 2, 1, nodes));

  const LevelField<2> of_nodes(g, keys, 2, 1, pool, nodes);
  const LevelField<2> of_faces(g, keys, 0, 1, pool, faces);

  EXPECT_EQ(of_nodes.view(0).box(), (Box<2>{{{22, 14}}, {{35, 27}}}));
  EXPECT_EQ(of_nodes.view(0).size(), LevelField<2>::block_size(8, 2, 1, nodes));
  EXPECT_EQ(of_faces.view(0).box(), (Box<2>{{{24, 16}}, {{32, 25}}}));
}

TEST(LevelField, finds_only_the_keys_it_holds) {
  const auto g = geometry();
  const std::vector keys{mesh::key_at<2>(0, {{1, 0}}), mesh::key_at<2>(0, {{1, 1}})};
  BlockPool pool(LevelField<2>::block_size(8, 1, 1));
  const LevelField<2> level(g, keys, 1, 1, pool);

  EXPECT_EQ(level.find(keys[0]), 0u);
  EXPECT_EQ(level.find(keys[1]), 1u);
  EXPECT_EQ(level.find(mesh::key_at<2>(0, {{0, 0}})), std::nullopt);
  EXPECT_EQ(level.find(mesh::key_at<2>(1, {{1, 0}})), std::nullopt);
}

TEST(LevelField, may_be_empty) {
  BlockPool pool(1);
  const LevelField<3> level({}, {}, 3, 5, pool);
  EXPECT_EQ(level.size(), 0u);
}

TEST(LevelField, moving_keeps_memory_where_it_is) {
  const auto g = geometry();
  const std::vector keys{mesh::key_at<2>(0, {{1, 0}})};
  BlockPool pool(LevelField<2>::block_size(8, 1, 1));
  LevelField<2> level(g, keys, 1, 1, pool);
  const double* before = level.view(0).data();

  const LevelField<2> moved = std::move(level);

  EXPECT_EQ(moved.view(0).data(), before);
}

TEST(LevelField, takes_over_blocks_with_their_cells_and_leaves_the_others) {
  const auto g = geometry();
  const std::vector old_keys{mesh::key_at<2>(0, {{0, 0}}), mesh::key_at<2>(0, {{1, 0}})};
  const std::vector new_keys{mesh::key_at<2>(0, {{1, 0}}), mesh::key_at<2>(0, {{1, 1}})};
  BlockPool pool(LevelField<2>::block_size(8, 1, 1));
  LevelField<2> before(g, old_keys, 1, 1, pool);
  before.view(0)[0, {{3, 4}}] = 5.0;
  before.view(1)[0, {{9, 4}}] = 7.0;

  const LevelField<2> after(g, new_keys, 1, 1, pool, before);

  EXPECT_EQ(after.view(0).data(), before.view(1).data());
  EXPECT_EQ((after.view(0)[0, {{9, 4}}]), 7.0);
  EXPECT_NE(after.view(1).data(), before.view(0).data());
  EXPECT_EQ((before.view(0)[0, {{3, 4}}]), 5.0);
}

}  // namespace
}  // namespace thalweg::field
