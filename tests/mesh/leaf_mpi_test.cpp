// SPDX-License-Identifier: MIT
// Leaf mode over MPI.
#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>

#include "leaf_agreement.hpp"

namespace thalweg::mesh {
namespace {

template <int D>
void expect_agreement(std::uint64_t n_seeds, int n_adaptations) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    testing::LeafCase<D> c = testing::leaf_case<D>(500 + seed);
    c.n_adaptations = std::min(c.n_adaptations, n_adaptations);
    EXPECT_EQ(testing::count_differences(c, transport), 0) << c;
  }
}

TEST(LeafMpi, gives_the_replicated_forest) {
  expect_agreement<1>(40, 8);
  expect_agreement<2>(40, 8);
  expect_agreement<3>(10, 3);
}

}  // namespace
}  // namespace thalweg::mesh
