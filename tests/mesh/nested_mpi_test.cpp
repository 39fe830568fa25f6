// SPDX-License-Identifier: MIT
// Nested mode over MPI, with tables that ranks share.
#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>

#include "nested_agreement.hpp"

namespace thalweg::mesh {
namespace {

template <int D>
void expect_agreement() {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  for (const testing::Case<D>& c : testing::cases<D>())
    EXPECT_EQ(testing::count_differences(c, testing::made_alone(c), transport), 0) << c;
}

TEST(NestedMpi, gives_the_forest_of_one_rank) {
  expect_agreement<1>();
  expect_agreement<2>();
  expect_agreement<3>();
}

TEST(NestedMpi, so_does_one_without_tables) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  for (testing::Case<2> c : testing::cases<2>()) {
    c.directory = Directory::routed;
    EXPECT_EQ(testing::count_differences(c, testing::made_alone(c), transport), 0) << c;
  }
}

TEST(NestedMpi, so_do_ranks_without_blocks) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  testing::Case<1> c = testing::cases<1>()[0];
  c.geometry.root_blocks = {1};
  c.geometry.max_level = 0;
  const auto whole = testing::made_alone(c);
  EXPECT_EQ(testing::count_differences(c, whole, transport), 0) << c;

  exchange::TransportCollectives collectives(transport);
  const auto forest =
      initial_forest(Geometry<1>(c.geometry), transport.rank(), transport.n_ranks(), collectives);
  const std::int64_t n_mine = std::ssize(forest.level(0).keys);
  std::int64_t n_empty = 0;
  for (const std::int64_t n : collectives.all_gather(n_mine)) n_empty += n == 0 ? 1 : 0;
  EXPECT_EQ(n_empty, transport.n_ranks() - 1);
  // What a rank says it has of the table is its part of what the compute node has.
  EXPECT_EQ(forest.level(0).directory.splitters().size(),
            static_cast<std::size_t>(transport.n_ranks()) + 1);
  EXPECT_LE(forest.level(0).directory.splitters().n_bytes(), 16u);
}

}  // namespace
}  // namespace thalweg::mesh
