// SPDX-License-Identifier: MIT
// Nested mode on virtual ranks whose messages take random times and overtake each other.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <thalweg/comm/sim_network.hpp>

#include "nested_agreement.hpp"
#include "some_compute_nodes.hpp"

namespace thalweg::mesh {
namespace {

template <int D>
void expect_agreement(const testing::Case<D>& c, int n_ranks, std::uint64_t n_seeds) {
  const auto whole = testing::made_alone(c);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    comm::SimNetwork network({.n_ranks = n_ranks,
                              .seed = seed,
                              .compute_nodes = testing::some_compute_nodes(n_ranks, seed)});
    const auto done = network.run([&](flow::Transport& transport) {
      EXPECT_EQ(testing::count_differences(c, whole, transport), 0) << c << " on " << n_ranks;
    });
    ASSERT_TRUE(done) << c << " on " << n_ranks << ": " << done.error().message;
  }
}

template <int D>
void expect_all_agree(int n_ranks, std::uint64_t n_seeds) {
  for (const testing::Case<D>& c : testing::cases<D>()) expect_agreement(c, n_ranks, n_seeds);
}

TEST(NestedSimulated, any_ranks_and_delays_give_the_forest_of_one_rank) {
  for (const int n_ranks : {2, 3, 5}) {
    expect_all_agree<1>(n_ranks, 5);
    expect_all_agree<2>(n_ranks, 3);
    expect_all_agree<3>(n_ranks, 1);
  }
}

// Most of these have levels with fewer blocks than ranks, and ranks with no block at all.
TEST(NestedSimulated, so_do_64_ranks) {
  expect_all_agree<1>(64, 2);
  expect_all_agree<2>(64, 1);
  expect_agreement(testing::cases<3>()[0], 64, 1);
  expect_agreement(testing::cases<3>()[7], 64, 1);
}

TEST(NestedSimulated, so_do_ranks_without_a_table) {
  testing::Case<2> c = testing::cases<2>()[2];
  c.directory = Directory::routed;
  for (const int n_ranks : {2, 3, 5, 7}) expect_agreement(c, n_ranks, 3);
  testing::Case<3> cubes = testing::cases<3>()[0];
  cubes.directory = Directory::routed;
  expect_agreement(cubes, 6, 1);
  expect_agreement(c, 64, 1);
}

TEST(NestedSimulated, so_do_ranks_with_one_block_each) {
  testing::Case<2> c = testing::cases<2>()[3];
  c.geometry.root_blocks = {8, 8};
  for (unsigned q = 0; q < 64; ++q)
    EXPECT_EQ(initial_forest(Geometry<2>(c.geometry), Rank(q), 64).level(0).keys.size(), 1u);
  expect_agreement(c, 64, 1);
}

}  // namespace
}  // namespace thalweg::mesh
