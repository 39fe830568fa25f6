// SPDX-License-Identifier: MIT
#pragma once
// Back ends on virtual ranks. The schedule of messages is seeded, that of the tasks is not: those
// run in threads of the machine, whatever rank they are of.
#include <stdexcept>

#include <thalweg/comm/sim_network.hpp>

#include "backend_ranks.hpp"

namespace thalweg::backends {

/// Polls are quicker than threads: what looks like a deadlock after the usual number may be a
/// thread that has no core.
inline constexpr std::uint32_t patience = 1'000'000'000;

template <class Executor>
class BackendSim : public testing::Test {};
TYPED_TEST_SUITE_P(BackendSim);

TYPED_TEST_P(BackendSim, random_programs_on_several_ranks_give_the_serial_result) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto n_ranks = static_cast<std::uint32_t>(2 + seed % 3);
    // In every other one the last rank has no work.
    const std::uint32_t n_busy = seed % 2 == 1 ? n_ranks - 1 : n_ranks;
    const comm::DistributedProgram program(
        {.seed = seed, .n_ranks = n_ranks, .n_steps = 40, .n_busy = n_busy});
    comm::SimNetwork network(
        {.n_ranks = static_cast<int>(n_ranks), .seed = seed, .patience = patience});
    const auto model = static_cast<flow::Model>(seed % 4);

    const auto result = network.run([&](flow::Transport& transport) {
      const std::uint32_t n_threads = 1 + static_cast<std::uint32_t>(seed / 4 % 2);
      expect_serial_result<TypeParam>(transport, {.n_threads = n_threads}, program, model);
    });

    EXPECT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TYPED_TEST_P(BackendSim, failure_on_one_rank_ends_all) {
  comm::SimNetwork network({.n_ranks = 3, .patience = patience});

  const auto result = network.run([&](flow::Transport& transport) {
    const std::uint32_t here = transport.rank()();
    flow::Recorder recorder(transport.rank(), 3);
    auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
    recorder.task("compute", flow::uses(flow::inout(x)), [here](auto) {
      if (here == 1) throw std::runtime_error("negative density");
    });
    recorder.send(flow::in(x), Rank((here + 1) % 3));
    recorder.recv(flow::out(y), Rank((here + 2) % 3));
    const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    TypeParam executor({}, transport);
    const auto report = executor.run(graph, 5);
    if (!report) transport.abort(report.error().message);
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("negative density"), std::string::npos)
      << result.error().message;
}

REGISTER_TYPED_TEST_SUITE_P(BackendSim, random_programs_on_several_ranks_give_the_serial_result,
                            failure_on_one_rank_ends_all);

}  // namespace thalweg::backends
