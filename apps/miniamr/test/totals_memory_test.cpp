// SPDX-License-Identifier: MIT
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/miniamr/totals.hpp>

namespace thalweg::miniamr {
namespace {

constexpr int n_steps = 1000;

/// What 1,000 timesteps on so many ranks take to be added up, a rank, at most.
std::size_t bytes_to_add_up_steps(int n_ranks) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 1});
  thalweg::testing::restart_most_heap_bytes();
  const auto before = thalweg::testing::heap_bytes();
  const auto done = network.run([](flow::Transport& transport) {
    exchange::TransportCollectives collectives(transport);
    RunFacts facts{.n_steps = n_steps};
    add_up_steps({}, {}, collectives, facts);
  });
  EXPECT_TRUE(done) << done.error().message;
  return (thalweg::testing::most_heap_bytes() - before) / static_cast<std::size_t>(n_ranks);
}

// A rank has 40 bytes a timestep of its own. What it learns of others is as much for 8 of them as
// for 64: once, not once a rank.
TEST(TotalsMemory, of_timesteps_does_not_grow_with_ranks) {
  EXPECT_LE(bytes_to_add_up_steps(64), 2 * bytes_to_add_up_steps(8));
  EXPECT_LE(bytes_to_add_up_steps(64), 200'000u);
}

}  // namespace
}  // namespace thalweg::miniamr
