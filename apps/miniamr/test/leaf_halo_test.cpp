// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/leaf_halo.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "small_mesh.hpp"

namespace thalweg::miniamr {
namespace {

using mesh::Key;

struct SeenOnRank {
  std::vector<mesh::OwnedLeaf<3>> own;
  std::vector<mesh::OwnedLeaf<3>> known;
  bool are_found = true;
  bool own_are_own = true;
  std::vector<Key<3>> sent_index;      // to the other rank
  std::vector<Key<3>> received_index;  // of it
};

std::vector<SeenOnRank> look() {
  return testing::on_small_mesh([](Rank rank, const Mesh& mesh, const LeafHalo& halo,
                                   auto& /*rounds*/) {
    SeenOnRank seen;
    for (std::size_t i = 0; i < mesh.owners.size(); ++i)
      seen.own.push_back({mesh.forest.leaves[i], mesh.owners[i]});
    seen.known.assign(halo.known().begin(), halo.known().end());
    for (std::uint32_t i = 0; i < halo.known().size(); ++i) {
      seen.are_found = seen.are_found && halo.find(halo.known()[i].key) == i;
      const bool is_own =
          std::ranges::find(mesh.forest.leaves, halo.known()[i].key) != mesh.forest.leaves.end();
      seen.own_are_own = seen.own_are_own && halo.is_own(i) == is_own;
    }
    for (const auto& peer : halo.send_lists())
      for (const std::uint32_t i : peer.sent_index) seen.sent_index.push_back(halo.known()[i].key);
    const auto n_heard = static_cast<std::uint32_t>(halo.known().size() - halo.n_own());
    for (std::uint32_t n = 0; n < n_heard; ++n)
      seen.received_index.push_back(halo.known()[halo.received_index(Rank(1 - rank()), n)].key);
    return seen;
  });
}

TEST(LeafHalo, know_own_leaves_and_those_that_touch_them_with_their_owners) {
  const auto seen = look();
  EXPECT_EQ(seen[0].own.size() + seen[1].own.size(), 16U);
  for (const SeenOnRank& rank : seen) {
    EXPECT_TRUE(rank.are_found);
    EXPECT_TRUE(rank.own_are_own);
  }
  // All leaves touch the other rank's but for children in the corner of the domain.
  for (const std::size_t q : {0U, 1U})
    for (const auto& leaf : seen[q].known) {
      const auto& of_home =
          std::ranges::find(seen[q].own, leaf) != seen[q].own.end() ? seen[q].own : seen[1 - q].own;
      EXPECT_NE(std::ranges::find(of_home, leaf), of_home.end()) << "owners are told too";
    }
}

TEST(LeafHalo, number_what_was_told_alike_on_both_sides) {
  const auto seen = look();
  EXPECT_FALSE(seen[0].sent_index.empty());
  EXPECT_EQ(seen[0].sent_index, seen[1].received_index);
  EXPECT_EQ(seen[1].sent_index, seen[0].received_index);
}

}  // namespace
}  // namespace thalweg::miniamr
