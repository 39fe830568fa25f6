// SPDX-License-Identifier: MIT
#include "../src/coarser_decks.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "stream.hpp"

namespace thalweg::app {
namespace {

using Integers = std::vector<std::int64_t>;

TEST(CoarserDecks, are_coarser_and_coarser) {
  const auto deck = testing::spot_deck(
      {"mesh.block_cells=16", "mesh.root_blocks=[4, 6]", "mesh.max_level=2", "mesh.ratio=[2, 4]"});
  const auto decks = coarser_decks(testing::applications()[0], deck);
  ASSERT_EQ(decks.size(), 4u);
  for (const auto& coarser : decks) EXPECT_EQ(coarser.integers("mesh.block_cells"), Integers{8});
  EXPECT_EQ(decks[0].integer("mesh.max_level"), 2);
  EXPECT_EQ(decks[1].integer("mesh.max_level"), 1);
  EXPECT_EQ(decks[1].integers("mesh.ratio"), Integers{2});
  EXPECT_EQ(decks[2].integer("mesh.max_level"), 0);
  EXPECT_EQ(decks[2].integers("mesh.root_blocks"), (Integers{4, 6}));
  EXPECT_EQ(decks[3].integers("mesh.root_blocks"), (Integers{2, 3}));
  EXPECT_EQ(decks[3].real("time.end"), deck.real("time.end"));
}

}  // namespace
}  // namespace thalweg::app
