// SPDX-License-Identifier: MIT
// Over MPI, with threads and in all models: the bits of one virtual rank.
#include <gtest/gtest.h>

#include <thalweg/cholesky/dense/generator.hpp>
#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>

#include "on_ranks.hpp"

namespace thalweg::cholesky {
namespace {

TEST(SameBitsMpi, with_threads_in_all_models) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const SteadyClock clock;
  const RandomMatrix<double> element{.seed = 1, .bump = 50};
  const Layout one{.n = 50, .tile = 7};
  const auto expected = testing::factorise_on<double>(one, element, {});
  ASSERT_EQ(expected.error, "");
  Layout layout = one;
  layout.grid_columns = transport.n_ranks();
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const std::uint32_t n_workers : {1U, 2U}) {
      flow::Executor executor({.n_workers = n_workers, .watchdog_s = comm::test_watchdog_s},
                              transport, clock);
      testing::Factored<double> factored(one.n);
      testing::factorise<double>(layout, element, {.model = model, .n_workers = n_workers},
                                 transport, executor, 3, factored);
      EXPECT_EQ(factored.info, 0);
      for (std::int64_t i = 0; i < one.n; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
          if (layout.owner(static_cast<int>(i / 7), static_cast<int>(j / 7)) == transport.rank()) {
            ASSERT_EQ(factored.l(i, j), expected.l(i, j)) << i << " " << j;
          }
    }
}

}  // namespace
}  // namespace thalweg::cholesky
