// SPDX-License-Identifier: MIT
#include <thalweg/app/memory.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

#include "counting_transport.hpp"

namespace thalweg::app {
namespace {

void on_transports(int n_ranks, const std::function<void(flow::Transport&)>& body) {
  comm::SimNetwork network({.n_ranks = n_ranks});
  const auto done = network.run(body);
  EXPECT_TRUE(done) << done.error().message;
}

TEST(MeanUpkeep, scales_with_the_blocks_and_updates_of_all_ranks) {
  on_transports(3, [](flow::Transport& transport) {
    // Rank 0 has nothing, the others 10 and 20 blocks.
    const auto r = static_cast<double>(transport.rank()());
    const Extent extent{10 * r, 40 * r};
    const Upkeep own{300 * r, 8000 * r, 100 * r};
    const MeanUpkeep mean(transport, own, extent);

    // 30 bytes of lists and 10 of tags a block, 200 of the step an update.
    EXPECT_DOUBLE_EQ(mean.with({5, 100}, 0), 300 * r + 5 * 30 + std::max(8000 * r, 2e4) + 50);
    // What moves is gone before there are tags.
    EXPECT_DOUBLE_EQ(mean.with({5, 100}, 1e6) - mean.with({5, 100}, 0), 1e6 - 50);
    // What there is stays: a smaller graph is made in the memory of the larger one.
    EXPECT_DOUBLE_EQ(mean.with({}, 0), own.lists + own.step);
  });
}

TEST(MeanUpkeep, of_nothing_is_nothing) {
  on_transports(1, [](flow::Transport& transport) {
    EXPECT_EQ(MeanUpkeep(transport, {}, {}).with({5, 100}, 7), 7.0);
  });
}

TEST(CheckLimit, is_with_a_mean_upkeep_as_many_collectives_as_they_say) {
  on_transports(2, [](flow::Transport& transport) {
    testing::CountingTransport counting(transport);
    const MeanUpkeep mean(counting, {}, {});
    EXPECT_TRUE(check_limit(counting, {.beside = mean.with({}, 0)}, 1));
    EXPECT_EQ(counting.n_sent(), n_collectives_of_memory);
  });
}

TEST(CheckLimit, names_the_rank_that_needs_most_on_all_ranks) {
  on_transports(3, [](flow::Transport& transport) {
    constexpr double mib = 0x1p20;
    const bool has_most = transport.rank() == Rank(1);
    const Need mine{has_most ? 20 * mib : 25 * mib, has_most ? 12.5 * mib : 0};
    EXPECT_TRUE(check_limit(transport, mine, std::size_t{33} << 20));
    EXPECT_TRUE(check_limit(transport, mine, std::size_t{65} << 19));  // to the byte
    const auto refused = check_limit(transport, mine, std::size_t{32} << 20);
    ASSERT_FALSE(refused);
    for (const char* part : {"32.5 MiB on rank 1", "20.0 MiB of it for cells",
                             "a rank has 32.0 MiB", "run.memory_limit_mib"})
      EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
  });
}

TEST(CheckLimit, shows_that_what_is_needed_is_more) {
  on_transports(1, [](flow::Transport& transport) {
    const auto refused = check_limit(transport, {0x1p20 * 20 + 1, 0}, std::size_t{20} << 20);
    ASSERT_FALSE(refused);
    for (const char* part : {"would take 20.000001 MiB", "a rank has 20.000000 MiB"})
      EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
  });
}

TEST(ExtentOf, counts_a_block_as_often_as_its_level_steps) {
  using mesh::testing::cases;
  for (const auto& c : {cases<2>()[1], cases<2>()[5]})
    mesh::testing::on_ranks(2, [&](Rank rank, auto exchange) {
      const auto forest = mesh::testing::random_forest(c, rank, 2, exchange);
      const int ratio = forest.geometry.ratio(0);
      Extent expected;
      double steps = 1;
      for (const auto& level : forest.levels) {
        expected.blocks += static_cast<double>(level.keys.size());
        expected.updates += steps * static_cast<double>(level.keys.size());
        steps *= ratio;
      }
      EXPECT_EQ(extent_of(forest), expected);
      expected.updates = expected.blocks;
      EXPECT_EQ(extent_of(forest, {.subcycle = false}), expected);
      return 0;
    });
}

TEST(NExchanged, counts_what_comes_and_what_goes) {
  mesh::testing::on_ranks(2, [](Rank rank, auto exchange) {
    const mesh::Geometry<1> geometry({.root_blocks = {{8}}, .max_level = 1});
    const auto before = mesh::initial_forest(geometry, rank, 2);
    auto after = before;
    EXPECT_EQ(n_exchanged(before, after), 0u);
    const std::vector<mesh::Key<1>> wanted{{1, 4}};
    after =
        mesh::regrid<1>(before, rank == Rank(0) ? wanted : std::vector<mesh::Key<1>>{}, exchange);
    std::size_t n_fine = 0;
    if (after.n_levels() > 1) n_fine = after.level(1).keys.size();
    EXPECT_EQ(n_exchanged(before, after), n_fine);
    EXPECT_EQ(n_exchanged(after, before), n_fine);
    return 0;
  });
}

TEST(NExchanged, knows_blocks_that_stay_on_any_level) {
  mesh::Forest<1> before{.geometry = mesh::Geometry<1>({.root_blocks = {{8}}, .max_level = 1}),
                         .rank = Rank(0),
                         .levels = {}};
  auto next = before;
  before.levels.resize(2);
  before.levels[0].keys = {{0, 0}, {0, 1}, {0, 3}, {0, 7}};
  before.levels[1].keys = {{1, 2}};
  next.levels.resize(1);
  next.levels[0].keys = {{0, 1}, {0, 2}, {0, 6}, {0, 7}};
  EXPECT_EQ(n_exchanged(before, next), 2U + 2U + 1U);
  EXPECT_EQ(n_exchanged(next, before), 5U);
}

}  // namespace
}  // namespace thalweg::app
