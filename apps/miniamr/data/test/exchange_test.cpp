// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/data/exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "forest.hpp"

namespace thalweg::miniamr::data::testing {
namespace {

const Shape shape{{4, 6, 8}, 1};

/// All messages from one rank to another, in order.
using BetweenRanks = std::map<std::pair<Rank, Rank>, std::vector<std::vector<Transfer>>>;

struct Both {
  BetweenRanks sent;
  BetweenRanks received;
};

Both plan_all(const Meshes& meshes, int axis, int max_messages) {
  Both both;
  for (std::size_t q = 0; q < meshes.before.size(); ++q) {
    const Rank self(q);
    const auto plan = plan_exchange(shape, meshes.before[q], self, axis, max_messages);
    for (const auto& m : plan.sends) both.sent[{self, m.peer}].push_back(m.transfers);
    for (const auto& m : plan.recvs) both.received[{m.peer, self}].push_back(m.transfers);
  }
  return both;
}

TEST(Exchange, is_agreed_upon_by_both_sides) {
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    for (const int max_messages : {0, 1, 3})
      for (int axis = 0; axis < 3; ++axis) {
        const Both both = plan_all(random_meshes(seed, 4), axis, max_messages);
        EXPECT_FALSE(both.sent.empty());
        EXPECT_EQ(both.sent, both.received);
      }
}

TEST(Exchange, has_no_more_messages_than_asked_for_and_the_same_transfers) {
  const Meshes meshes = random_meshes(2, 3);
  const Both one_a_face = plan_all(meshes, 0, 0);
  const Both three = plan_all(meshes, 0, 3);
  for (const auto& [ranks, messages] : one_a_face.sent) {
    const auto& fewer = three.sent.at(ranks);
    EXPECT_EQ(fewer.size(), std::min<std::size_t>(3, messages.size()));
    std::vector<Transfer> in_order;
    for (const auto& transfers : fewer)
      in_order.insert(in_order.end(), transfers.begin(), transfers.end());
    EXPECT_EQ(in_order.size(), messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      ASSERT_EQ(messages[i].size(), 1U);
      EXPECT_EQ(messages[i][0], in_order[i]);
    }
  }
}

TEST(Exchange, moves_a_quarter_of_a_face_where_levels_change) {
  const auto coarse = mesh::key_at<3>(1, {1, 0, 1});
  const auto fine = mesh::key_at<3>(2, {4, 1, 2});  // beyond x+ of the coarse one: y high, z low
  const Transfer up{coarse, 1, fine};
  const Transfer down{fine, 0, coarse};
  EXPECT_EQ(up.size(shape), 12U);
  EXPECT_EQ(down.size(shape), 12U);
  EXPECT_EQ(up.half(), (std::array<std::uint8_t, 2>{1, 0}));
  EXPECT_EQ(down.half(), up.half());
  EXPECT_EQ((Transfer{fine, 0, fine}.size(shape)), 48U);
}

}  // namespace
}  // namespace thalweg::miniamr::data::testing
