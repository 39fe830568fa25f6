// SPDX-License-Identifier: MIT
// The back end on MPI ranks and threads; every task checks its inputs.

#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/taskbench/drive.hpp>
#include <thalweg/taskbench/task_graph.hpp>

#include "cases.hpp"

namespace thalweg::taskbench {
namespace {

class BackendMpi : public testing::Test {
 protected:
  BackendMpi() { transport.set_watchdog(comm::test_watchdog_s); }
  comm::MpiTransport transport{*comm::test_session};
  SteadyClock clock;
};

TEST_F(BackendMpi, all_patterns_and_models_have_the_right_inputs) {
  for (const Dependence dependence : all_dependences())
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SplitMix64 random(seed);
      TaskGraph g = random_graph(dependence, random);
      g.nb_fields = g.timesteps;
      Backend<TaskGraph> backend({g}, static_cast<flow::Model>(seed % 4),
                                 {.n_workers = 1 + static_cast<std::uint32_t>(seed / 4)}, transport,
                                 clock);

      const auto seconds = time_runs(backend, transport, clock, 1);

      ASSERT_TRUE(seconds) << to_string(dependence) << ": " << seconds.error().message;
      EXPECT_GT(*seconds, 0);
    }
}

TEST_F(BackendMpi, kernels_run_with_scratch_of_their_own) {
  for (const std::string_view name : kernel_names()) {
    TaskGraph g{.timesteps = 20, .max_width = 6, .dependence = Dependence::nearest};
    g.kernel = {.type = *kernel_from_string(name), .iterations = 20, .imbalance = 1};
    g.scratch_bytes_per_task = 1000;
    g.nb_fields = g.timesteps;
    Backend<TaskGraph> backend({g, g}, flow::Model::dataflow, {.n_workers = 2}, transport, clock);

    const auto seconds = time_runs(backend, transport, clock, 2);

    ASSERT_TRUE(seconds) << name << ": " << seconds.error().message;
  }
}

}  // namespace
}  // namespace thalweg::taskbench
