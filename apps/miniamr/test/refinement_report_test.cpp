// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/refinement_report.hpp>

#include <gtest/gtest.h>

namespace thalweg::miniamr {
namespace {

// A row of four blocks along x: this rank, 0, has the first, second and last.
data::Layout row() {
  const auto key = [](int i) { return mesh::key_at<3>(0, {i, 0, 0}); };
  const Rank owners[] = {Rank(0), Rank(0), Rank(5), Rank(0)};
  data::Layout layout;
  for (const int i : {0, 1, 3}) {
    data::Block block{key(i), {}};
    if (i > 0) block.faces[0] = {{key(i - 1), owners[i - 1]}};
    if (i < 3) block.faces[1] = {{key(i + 1), owners[i + 1]}};
    layout.blocks.push_back(block);
  }
  layout.blocks[0].faces[2] = {{mesh::key_at<3>(0, {0, 1, 0}), Rank(5)}};
  return layout;
}

TEST(PartnersOf, count_other_ranks_by_axis_and_once) {
  EXPECT_EQ(partners_of(row(), Rank(0)), (Partners{1, 1, 0, 2, 1}));
}

TEST(CountConnectedSets, are_sets_of_blocks_that_touch) {
  EXPECT_EQ(count_connected_sets(row(), Rank(0)), 2);
}

TEST(CountParents, counts_each_parent_where_its_lower_corner_is) {
  data::Layout layout;
  const auto add = [&](int level, const Index<3>& place) {
    layout.blocks.push_back({mesh::key_at<3>(level, place), {}});
  };
  add(0, {0, 0, 0});
  add(1, {3, 0, 0});
  EXPECT_EQ(count_parents(layout), 0);
  add(1, {2, 0, 0});  // the first of a parent on level 0
  EXPECT_EQ(count_parents(layout), 1);
  add(2, {12, 4, 8});  // of one on level 1 and one on level 0
  add(2, {14, 4, 8});  // of one on level 1
  EXPECT_EQ(count_parents(layout), 4);
}

TEST(Lines, about_a_refinement_are_the_references) {
  EXPECT_EQ(level_lines({.per_level = {3, 40}, .hash = 1}, 5),
            "Number of blocks at level 0 at timestep 5 is 3\n"
            "Number of blocks at level 1 at timestep 5 is 40\n"
            "Total number of blocks at timestep 5 is 43\n");
  EXPECT_EQ(balance_lines({.before = {9, 2}, .after = {6, 5}}),
            "before ave 5 min 2 max 9\nafter ave 5 min 5 max 6\n");
  EXPECT_EQ(
      balance_lines(
          {.before = {9, 2}, .after = {6, 5}, .n_moved = 3, .n_wanted = 4, .is_limited = true}),
      "before ave 5 min 2 max 9\nMove 3 blocks out of 4 possible to load balance\n"
      "after ave 5 min 5 max 6\n");
  EXPECT_EQ(connection_lines(std::vector<RankReport>{{{1, 0, 0, 1, 1}, 2}, {{1, 1, 0, 2, 1}, 1}}),
            "max sets on a rank 2, num sets over ranks 1 on 1 ranks\n"
            "comm partners x ave   1.00 min 1 max 1\n"
            "comm partners y ave   0.50 min 0 max 1\n"
            "comm partners z ave   0.00 min 0 max 0\n"
            "comm partners total ave   1.50 min 1 max 2\n"
            "comm partners unique ave   1.00 min 1 max 1\n\n");
}

TEST(Plot, names_levels_and_integer_centres_of_a_ranks_blocks) {
  const std::vector<data::Block> mine{{mesh::key_at<3>(0, {1, 0, 0}), {}},
                                      {mesh::key_at<3>(1, {1, 0, 1}), {}}};
  const auto text = plot_text({.root_blocks = {2, 1, 1}, .max_level = 1}, 9, mine);
  ASSERT_EQ(text.size(), 1U);
  EXPECT_EQ(text[0].heading, "9 1 2 1 1\n");
  EXPECT_EQ(text[0].lines, "2\n0 6 2 2\n1 3 1 3\n");
}

TEST(Plot, file_names_have_digits_for_all_steps_and_one_more) {
  EXPECT_EQ(plot_name(7, 20), "plot.007");
  EXPECT_EQ(plot_name(7, 100), "plot.007");
  EXPECT_EQ(plot_name(7, 101), "plot.0007");
  EXPECT_EQ(plot_name(0, 1), "plot.0");
}

}  // namespace
}  // namespace thalweg::miniamr
