// SPDX-License-Identifier: MIT
// What every back end is asked under MPI.
#pragma once
#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>

#include "backend_ranks.hpp"

namespace thalweg::backends {

/// Run random programs in all models on the ranks there are.
template <class Executor>
void expect_serial_results_under_mpi() {
  comm::MpiTransport transport(*comm::test_session);
  transport.set_watchdog(comm::test_watchdog_s);
  const auto n_ranks = static_cast<std::uint32_t>(transport.n_ranks());
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    // In every other one the last rank has no work.
    const std::uint32_t n_busy = n_ranks > 1 && seed % 2 == 1 ? n_ranks - 1 : n_ranks;
    const comm::DistributedProgram program({.seed = seed, .n_ranks = n_ranks, .n_busy = n_busy});
    expect_serial_result<Executor>(transport, {.n_threads = 2}, program,
                                   static_cast<flow::Model>(seed % 4));
  }
}

}  // namespace thalweg::backends
