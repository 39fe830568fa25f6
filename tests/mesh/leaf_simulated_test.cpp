// SPDX-License-Identifier: MIT
// Leaf mode on virtual ranks whose messages take random times and overtake each other.
#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>

#include "leaf_agreement.hpp"

namespace thalweg::mesh {
namespace {

template <int D>
void expect_agreement(int n_ranks, std::uint64_t n_seeds, int n_adaptations = 8) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    testing::LeafCase<D> c =
        testing::leaf_case<D>(1000 * static_cast<std::uint64_t>(n_ranks) + seed);
    c.n_adaptations = std::min(c.n_adaptations, n_adaptations);
    comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
    const auto done = network.run([&](flow::Transport& transport) {
      EXPECT_EQ(testing::count_differences(c, transport), 0) << c << " on " << n_ranks;
    });
    ASSERT_TRUE(done) << c << " on " << n_ranks << ": " << done.error().message;
  }
}

TEST(LeafSimulated, any_ranks_and_delays_give_the_replicated_forest_1d) {
  for (const int n_ranks : {1, 2, 3, 5}) expect_agreement<1>(n_ranks, 150);
}
TEST(LeafSimulated, any_ranks_and_delays_give_the_replicated_forest_2d) {
  for (const int n_ranks : {1, 2, 3, 5}) expect_agreement<2>(n_ranks, 120);
}
TEST(LeafSimulated, any_ranks_and_delays_give_the_replicated_forest_3d) {
  for (const int n_ranks : {1, 2, 3, 5}) expect_agreement<3>(n_ranks, 25, 3);
}

// Many of these have fewer leaves than ranks at first, or throughout.
TEST(LeafSimulated, so_do_64_ranks) {
  expect_agreement<1>(64, 5);
  expect_agreement<2>(64, 5, 4);
  expect_agreement<3>(64, 2, 2);
}

}  // namespace
}  // namespace thalweg::mesh
