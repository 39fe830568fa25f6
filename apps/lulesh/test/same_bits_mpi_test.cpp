// SPDX-License-Identifier: MIT
// Over MPI, with threads and in all models: the bits of one virtual rank.
#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>

#include "on_ranks.hpp"

namespace thalweg::lulesh {
namespace {

TEST(LuleshSameBitsMpi, in_all_models_with_1_and_2_workers) {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const SteadyClock time;
  const int side = *side_of_ranks(transport.n_ranks());
  const int n = 6;
  Settings settings{.last_cycle = 20, .n_element_tasks = 5, .n_node_tasks = 3};
  const testing::Outcome expected = testing::run_on(1, n, settings);
  ASSERT_EQ(expected.error, "");
  settings.s = n / side;
  const Cube cube(settings.s, side, transport.rank());
  for (const auto model :
       {flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow})
    for (const std::uint32_t n_workers : {1U, 2U}) {
      testing::Outcome outcome = testing::outcome_of(n);
      testing::run_rank(settings, model, n_workers, {.n_workers = n_workers}, transport, time,
                        outcome);
      for (std::uint32_t e = 0; e < cube.n_elements(); ++e)
        ASSERT_EQ(outcome.energy[cube.global_element(e)], expected.energy[cube.global_element(e)]);
      if (transport.rank() == Rank(0)) {
        EXPECT_EQ(outcome.time, expected.time);
      }
    }
}

}  // namespace
}  // namespace thalweg::lulesh
