// SPDX-License-Identifier: MIT
// Leaf mode on virtual ranks whose messages take random times and overtake each other.
#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>

#include "leaf_agreement.hpp"
#include "some_compute_nodes.hpp"

namespace thalweg::mesh {
namespace {

template <int D>
void expect_agreement(const testing::LeafCase<D>& c, int n_ranks, std::uint64_t seed) {
  comm::SimNetwork network({.n_ranks = n_ranks,
                            .seed = seed,
                            .compute_nodes = testing::some_compute_nodes(n_ranks, seed)});
  const auto done = network.run([&](flow::Transport& transport) {
    EXPECT_EQ(testing::count_differences(c, transport), 0) << c << " on " << n_ranks;
  });
  ASSERT_TRUE(done) << c << " on " << n_ranks << ": " << done.error().message;
}

template <int D>
void expect_agreement(int n_ranks, std::uint64_t n_seeds, int n_adaptations = 8) {
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    testing::LeafCase<D> c =
        testing::leaf_case<D>(1000 * static_cast<std::uint64_t>(n_ranks) + seed);
    c.n_adaptations = std::min(c.n_adaptations, n_adaptations);
    expect_agreement(c, n_ranks, seed);
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

TEST(LeafSimulated, so_do_ranks_without_a_table) {
  const auto expect_routed = [](auto c, int n_ranks) {
    c.directory = Directory::routed;
    c.n_adaptations = std::min(c.n_adaptations, 3);
    expect_agreement(c, n_ranks, c.seed);
  };
  for (const int n_ranks : {2, 3, 5, 7})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      expect_routed(testing::leaf_case<1>(seed), n_ranks);
      expect_routed(testing::leaf_case<2>(seed), n_ranks);
      if (seed < 2) expect_routed(testing::leaf_case<3>(seed), n_ranks);
    }
  expect_routed(testing::leaf_case<2>(7), 64);
}

/// A case that begins with one leaf on each of 64 ranks.
template <int D>
testing::LeafCase<D> one_leaf_a_rank(std::uint64_t seed, Curve curve) {
  testing::LeafCase<D> c = testing::leaf_case<D>(seed);
  auto config = c.rules.geometry.config();
  config.root_blocks = Index<D>::filled(D == 2 ? 8 : 4);
  config.ratio = 2;
  config.max_level = 2;
  c.rules.geometry = Geometry<D>(config);
  c.rules.curve = curve;
  c.first_level = 0;
  c.n_adaptations = D == 2 ? 3 : 1;
  for (unsigned q = 0; q < 64; ++q)
    EXPECT_EQ(initial_leaves(c.rules, 0, Rank(q), 64).leaves.size(), 1u);
  return c;
}

TEST(LeafSimulated, so_do_ranks_with_one_leaf_each) {
  for (const Curve curve : {Curve::morton, Curve::hilbert}) {
    expect_agreement(one_leaf_a_rank<2>(7, curve), 64, 1);
    expect_agreement(one_leaf_a_rank<3>(7, curve), 64, 2);
  }
}

}  // namespace
}  // namespace thalweg::mesh
