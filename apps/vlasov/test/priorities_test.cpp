// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/graph.hpp>
#include <thalweg/vlasov/layout.hpp>
#include <thalweg/vlasov/read_settings.hpp>

#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

/// 4 x 8 tiles in two rectangles, cut along v: of a rank's tiles those in its two rows at the cuts
/// are read by the other rank.
std::vector<std::string> deck_of(const std::string& override) {
  return {"vlasov.cells=[64, 64]", "vlasov.tile=[16, 8]",    "vlasov.halo=4",
          "time.dt=0.02",          "vlasov.decomposition=v", override};
}

struct Found {
  std::map<int, int> of_tiles;  ///< priorities of the tasks that advance them
  std::vector<int> of_packing;  ///< and of those that make messages of ghosts
};

Found priorities_on(Rank rank, const std::string& override) {
  io::MemoryFileSystem files;
  Found found;
  const auto done =
      thalweg::testing::on_virtual_ranks({.n_ranks = 2}, files, [&](const app::Context& context) {
        const auto made = testing::applications()
                              .front()
                              .set_up(testing::deck(deck_of(override)))
                              ->simulation(context, nullptr, {});
        ASSERT_TRUE(made) << made.error().message;
        if (context.transport.rank() != rank) return;
        const flow::Graph& graph = (*made)->step_graph();
        for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
          const flow::Node& node = graph.node(flow::TaskId(t));
          const std::string& name = graph.name(flow::TaskId(t));
          if (name == "advance") found.of_tiles[static_cast<int>(node.block)] = node.priority;
          if (name == "pack ghosts") found.of_packing.push_back(node.priority);
        }
      });
  EXPECT_TRUE(done) << done.error().message;
  return found;
}

TEST(VlasovTileOrder, is_by_the_points_that_other_ranks_read) {
  const Layout layout(read_settings(testing::deck(deck_of("vlasov.tile_order=border"))), 2);
  for (const Rank rank : {Rank{0}, Rank{1}}) {
    const auto border = priorities_on(rank, "vlasov.tile_order=border").of_tiles;
    ASSERT_EQ(border.size(), 16u);
    for (const auto& [number, priority] : border) {
      const int row = layout.place(number).row;
      const bool is_read = row % 4 == 0 || row % 4 == 3;
      // Four points along v, of the tile's columns and four on both sides.
      EXPECT_EQ(priority, is_read ? 4 * (16 + 4 + 4) : 0) << "row " << row;
    }
    const auto along_v = priorities_on(rank, "vlasov.tile_order=along_v").of_tiles;
    ASSERT_EQ(along_v.size(), 16u);
    for (const auto& [number, priority] : along_v) EXPECT_EQ(priority, 0);
  }
}

TEST(VlasovPriorities, of_messages_are_above_those_of_all_tiles_or_none) {
  const auto packing = priorities_on(Rank{1}, "vlasov.priorities=messages").of_packing;
  ASSERT_FALSE(packing.empty());
  EXPECT_EQ(std::ranges::min(packing), std::numeric_limits<int>::max());

  EXPECT_EQ(std::ranges::max(priorities_on(Rank{1}, "vlasov.priorities=none").of_packing), 0);
}

}  // namespace
}  // namespace thalweg::vlasov
