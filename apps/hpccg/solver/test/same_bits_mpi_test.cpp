// SPDX-License-Identifier: MIT
// Over MPI, with threads and in all models: the bits of one virtual rank.
#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>

#include "on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

void expect_same_bits(Method method) {
  const Index<3> all{{8, 6, 12}};
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const SteadyClock clock;
  CgSettings settings{.method = method, .n_blocks = 5, .max_iterations = 14, .tolerance = 1e-6};
  const testing::Solved expected = testing::solve_on({{1, 1, 1}}, all, settings);
  ASSERT_EQ(expected.error, "");
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const std::uint32_t n_workers : {1U, 2U}) {
      settings.model = model;
      settings.n_workers = n_workers;
      flow::Executor executor({.n_workers = n_workers, .watchdog_s = comm::test_watchdog_s},
                              transport, clock);
      testing::Solved solved;
      solved.x.resize(expected.x.size());
      testing::solve<SellStencil>(all, {{1, 1, transport.n_ranks()}}, settings, transport, executor,
                                  solved);
      if (transport.rank() == Rank(0)) {
        EXPECT_EQ(solved.residuals, expected.residuals);
      }
      const std::size_t n = expected.x.size() / static_cast<std::size_t>(transport.n_ranks());
      for (std::size_t i = transport.rank()() * n; i < (transport.rank()() + 1) * n; ++i)
        EXPECT_EQ(solved.x[i], expected.x[i]);
    }
}

TEST(SameBitsMpi, plain) {
  expect_same_bits(Method::plain);
}

TEST(SameBitsMpi, pipelined) {
  expect_same_bits(Method::pipelined);
}

}  // namespace
}  // namespace thalweg::hpccg
