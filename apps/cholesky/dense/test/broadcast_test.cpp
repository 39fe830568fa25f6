// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/broadcast.hpp>

#include <bit>
#include <map>

#include <gtest/gtest.h>

namespace thalweg::cholesky {
namespace {

TEST(Broadcast, reaches_each_reader_once_and_nobody_else) {
  for (const auto how : {Broadcast::p2p, Broadcast::tree})
    for (int n = 0; n < 20; ++n) {
      std::vector<Rank> readers;
      for (int r = 0; r < n; ++r) readers.push_back(Rank((r * 7 + 3) % 23));
      const Rank owner(40);
      const Rank stranger(30);
      EXPECT_EQ(route_of(how, owner, readers, stranger), Route{});
      EXPECT_EQ(route_of(how, owner, readers, owner).from, std::nullopt);
      // Follow the messages from the owner.
      std::vector<Rank> reached{owner};
      for (std::size_t at = 0; at < reached.size(); ++at)
        for (const Rank to : route_of(how, owner, readers, reached[at]).to) {
          EXPECT_EQ(route_of(how, owner, readers, to).from, reached[at]);
          reached.push_back(to);
        }
      reached.erase(reached.begin());
      std::ranges::sort(reached);
      std::ranges::sort(readers);
      EXPECT_EQ(reached, readers);
    }
}

TEST(Broadcast, along_a_tree_sends_no_more_than_log2_from_a_rank) {
  std::vector<Rank> readers;
  for (int r = 1; r < 16; ++r) readers.push_back(Rank(r));
  EXPECT_EQ(route_of(Broadcast::tree, Rank(0), readers, Rank(0)).to,
            (std::vector<Rank>{Rank(8), Rank(4), Rank(2), Rank(1)}));
  EXPECT_EQ(route_of(Broadcast::p2p, Rank(0), readers, Rank(0)).to.size(), 15U);
  EXPECT_EQ(route_of(Broadcast::tree, Rank(0), readers, Rank(12)),
            (Route{.from = Rank(8), .to = {Rank(14), Rank(13)}}));
}

}  // namespace
}  // namespace thalweg::cholesky
