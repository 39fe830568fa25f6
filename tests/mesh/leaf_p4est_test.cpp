// SPDX-License-Identifier: MIT
// The same refine flags make the same leaves as p4est, over MPI.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/testing/p4est_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>

namespace thalweg::mesh {
namespace {

// The leaves of all ranks, sorted by key: who has which differs.
template <int D>
std::vector<Key<D>> gathered(flow::Transport& transport, const std::vector<Key<D>>& mine) {
  auto all = flow::all_gather_v(transport, std::span(mine)).values;
  std::sort(all.begin(), all.end());
  return all;
}

// A random case in p4est's reach, with the balance asked for.
template <int D>
testing::LeafCase<D> binary_case(std::uint64_t seed, Adjacency balance) {
  testing::LeafCase<D> c = testing::leaf_case<D>(seed);
  auto config = c.rules.geometry.config();
  config.ratio = 2;
  config.max_level = 7 - D;
  c.rules.geometry = Geometry<D>(config);
  c.rules.balance = balance;
  return c;
}

template <class Names>
void expect_equal(Adjacency balance, std::uint64_t n_cases, int n_adaptations) {
  constexpr int D = Names::dim;
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  exchange::TransportCollectives collectives(transport);
  std::size_t n_leaves = 0;
  for (std::uint64_t seed = 0; seed < n_cases; ++seed) {
    const auto c = binary_case<D>(seed, balance);
    LeafForest<D> forest =
        initial_leaves(c.rules, c.first_level, transport.rank(), transport.n_ranks());
    testing::P4estForest<Names> peer(comm::test_session->world(), c.rules, c.first_level);
    for (int time = 0; time < n_adaptations; ++time) {
      forest = adapt<D>(forest, testing::random_flags(c, time, forest), collectives);
      peer.apply([&](const Key<D>& key) { return testing::random_flag(c, time, key); });
      peer.balance();
      ASSERT_EQ(gathered(transport, forest.leaves), gathered(transport, peer.leaves()))
          << c << " at time " << time;
    }
    n_leaves += static_cast<std::size_t>(forest.n_global);
  }
  EXPECT_GT(n_leaves, 100 * n_cases) << "the cases are too easy";
}

TEST(LeafP4est, leaves_are_the_same_2d_faces) {
  expect_equal<testing::P4estNames>(Adjacency::faces, 200, 5);
}
TEST(LeafP4est, leaves_are_the_same_2d_corners) {
  expect_equal<testing::P4estNames>(Adjacency::corners, 200, 5);
}
TEST(LeafP4est, leaves_are_the_same_3d_faces) {
  expect_equal<testing::P8estNames>(Adjacency::faces, 40, 4);
}
TEST(LeafP4est, leaves_are_the_same_3d_edges) {
  expect_equal<testing::P8estNames>(Adjacency::edges, 40, 4);
}
TEST(LeafP4est, leaves_are_the_same_3d_corners) {
  expect_equal<testing::P8estNames>(Adjacency::corners, 40, 4);
}

}  // namespace
}  // namespace thalweg::mesh

int main(int argc, char** argv) {
  sc_set_log_defaults(nullptr, nullptr, SC_LP_SILENT);
  return thalweg::comm::run_mpi_tests(argc, argv);
}
