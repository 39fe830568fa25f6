// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/marks.hpp>

#include <gtest/gtest.h>

#include "small_mesh.hpp"

namespace thalweg::miniamr {
namespace {

using mesh::Key;
using mesh::key_at;
using testing::Marks;

// A mark of each leaf of the small mesh, from marks of some; the others may coarsen.
Marks settled(const Marks& wishes) {
  const auto of_ranks = testing::on_small_mesh(
      [&](Rank /*rank*/, const Mesh& mesh, const LeafHalo& halo, auto& collectives) {
        std::vector<Mark> wished;
        for (const Key<3>& leaf : mesh.forest.leaves)
          wished.push_back(wishes.contains(leaf) ? wishes.at(leaf) : Mark::may_coarsen);
        const auto marks = settled_marks(halo, wished, collectives);
        Marks own;
        for (std::size_t i = 0; i < mesh.forest.leaves.size(); ++i)
          own[mesh.forest.leaves[i]] = marks[halo.first_own() + i];
        return own;
      });
  Marks all = of_ranks[0];
  all.insert(of_ranks[1].begin(), of_ranks[1].end());
  EXPECT_EQ(all.size(), 16U);
  return all;
}

const Key<3> right_root = key_at<3>(0, {1, 0, 0});

TEST(SettledMarks, families_of_leaves_may_coarsen_and_others_may_not) {
  for (const auto& [leaf, mark] : settled({})) {
    const bool is_in_a_family = leaf.level == 2;  // a sibling of those of level 1 is no leaf
    EXPECT_EQ(mark, is_in_a_family ? Mark::may_coarsen : Mark::stay) << leaf.level;
  }
}

TEST(SettledMarks, one_that_stays_keeps_its_siblings) {
  for (const auto& [leaf, mark] : settled({{key_at<3>(2, {1, 1, 1}), Mark::stay}}))
    EXPECT_EQ(mark, Mark::stay);
}

TEST(SettledMarks, refinement_goes_on_over_faces_to_coarser_leaves) {
  // A finest leaf, the one of level 1 across its face, and the root across that one's.
  const Marks marks = settled({{key_at<3>(2, {1, 0, 0}), Mark::refine}});
  EXPECT_EQ(marks.at(key_at<3>(2, {1, 0, 0})), Mark::refine);
  EXPECT_EQ(marks.at(key_at<3>(1, {1, 0, 0})), Mark::refine);
  EXPECT_EQ(marks.at(right_root), Mark::refine);
  EXPECT_EQ(marks.at(key_at<3>(2, {0, 0, 0})), Mark::stay) << "across a face, and as fine";
  EXPECT_EQ(marks.at(key_at<3>(1, {0, 1, 0})), Mark::stay) << "across an edge only";
}

TEST(SettledMarks, a_leaf_with_a_finer_one_across_a_face_stays) {
  const Marks marks = settled({{right_root, Mark::refine}});
  EXPECT_EQ(marks.at(key_at<3>(1, {1, 1, 1})), Mark::stay);
  EXPECT_EQ(marks.at(key_at<3>(2, {1, 1, 1})), Mark::may_coarsen);
}

Refinement refinement(const std::string& line) {
  const Options options = parse_options(testing::words_of("--num_refine 2 --nx 4 " + line), 1);
  return refinement_of(options, options.objects);
}

TEST(WishedMark, refines_where_an_object_is_but_not_the_finest) {
  const auto r = refinement("--num_objects 1 --object 1 0 .1 .1 .1 0 0 0 .1 .1 .1 0 0 0");
  EXPECT_EQ(wished_mark(r, key_at<3>(1, {0, 0, 0})), Mark::refine);
  EXPECT_EQ(wished_mark(r, key_at<3>(2, {0, 0, 0})), Mark::stay);
  EXPECT_EQ(wished_mark(r, key_at<3>(1, {1, 0, 0})), Mark::may_coarsen);
}

TEST(WishedMark, tests_ghost_cells_where_that_is_asked_for) {
  // A block of level 2 is 1/4 wide; of its 4 cells in x one reaches to .5 - 1/16.
  const std::string object = "--num_objects 1 --object 1 0 .4 .5 .5 0 0 0 .05 .5 .5 0 0 0 ";
  const Key<3> leaf = key_at<3>(2, {2, 0, 0});
  EXPECT_EQ(wished_mark(refinement(object + "--num_refine 3"), leaf), Mark::may_coarsen);
  EXPECT_EQ(wished_mark(refinement(object + "--num_refine 3 --refine_ghost"), leaf), Mark::refine);
  // Two cells reach to .5 - 1/8: its parent would be refined at once.
  const std::string further = "--num_objects 1 --object 1 0 .35 .5 .5 0 0 0 .05 .5 .5 0 0 0 ";
  EXPECT_EQ(wished_mark(refinement(further + "--num_refine 3 --refine_ghost"), leaf), Mark::stay);
}

TEST(WishedMark, uniform_refines_all_to_the_finest) {
  const auto r = refinement("--uniform_refine 1");
  EXPECT_EQ(wished_mark(r, key_at<3>(1, {1, 1, 0})), Mark::refine);
  EXPECT_EQ(wished_mark(r, key_at<3>(2, {1, 1, 0})), Mark::stay);
}

}  // namespace
}  // namespace thalweg::miniamr
