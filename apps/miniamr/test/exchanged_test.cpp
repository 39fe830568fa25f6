// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/exchanged.hpp>

#include <gtest/gtest.h>

#include "small_mesh.hpp"

namespace thalweg::miniamr {
namespace {

TEST(ExchangedInStage, counts_messages_bytes_and_faces_by_axis) {
  // The small mesh, all of the right rank's leaves but one at the origin with the left one.
  const data::Shape shape{.n = {4, 6, 8}, .n_vars = 5};
  const auto of_ranks =
      testing::on_small_mesh([&](Rank rank, const Mesh& mesh, const LeafHalo&, auto& collectives) {
        Mesh other = mesh;
        for (std::size_t i = 0; i < other.owners.size(); ++i)
          other.owners[i] = Rank(other.forest.leaves[i].level == 0 ? 1 : 0);
        const data::Layout layout = update_layout(exchange_halo(other, collectives), collectives);
        return exchanged_in_stage(shape, {.group_size = 2}, layout, rank);
      });
  // The right root has four leaves of level 1 across its face in x; three groups of variables.
  const Exchanged& x = of_ranks[1][0];
  EXPECT_EQ(x.messages_sent, 3);
  EXPECT_EQ(x.faces_sent, 12);
  EXPECT_EQ(x.bytes_sent, 8 * 5 * 4 * (3 * 4));
  EXPECT_EQ(x.faces_boundary, 3);
  EXPECT_EQ(of_ranks[1][1].faces_boundary, 6);
  EXPECT_EQ(of_ranks[1][1].messages_sent, 0);
  const Exchanged& left = of_ranks[0][0];
  EXPECT_EQ(left.messages_received, x.messages_sent);
  EXPECT_EQ(left.bytes_received, x.bytes_sent);
  // Seven leaves of level 1, eight of level 2: pairs as fine across x, and four quarters.
  EXPECT_EQ(left.faces_same, 3 * 2 * (3 + 4));
  EXPECT_EQ(left.faces_different, 3 * 2 * 4);
}

TEST(ExchangedInStage, has_a_message_a_face_where_that_is_asked_for) {
  const auto of_ranks = testing::on_small_mesh(
      [](Rank rank, const Mesh& mesh, const LeafHalo& halo, auto& collectives) {
        (void)mesh;
        const data::Layout layout = update_layout(halo, collectives);
        return exchanged_in_stage({.n = {2, 2, 2}}, {.max_comm_tasks = 0}, layout, rank);
      });
  EXPECT_GT(of_ranks[0][0].messages_sent, 0);
  for (const auto& by_axis : of_ranks)
    for (const Exchanged& axis : by_axis) EXPECT_EQ(axis.messages_sent, axis.faces_sent);
}

}  // namespace
}  // namespace thalweg::miniamr
