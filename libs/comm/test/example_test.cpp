// SPDX-License-Identifier: MIT
// The simulation of README.md.
#include <thalweg/comm/sim_network.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/picker.hpp>

#include "ring.hpp"

namespace thalweg::comm {
namespace {

TEST(Example, runs_the_program_of_each_rank) {
  std::vector<ring::Ring> rings(6);
  std::vector<std::uint64_t> expected(6);
  const auto record_program = [&](flow::Transport& transport) {
    expected[transport.rank()()] = ring::expected(transport, 10);
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    ring::record(recorder, rings[transport.rank()()]);
    return flow::capture(std::move(recorder), flow::Model::dataflow);
  };

  SimNetwork network({.n_ranks = 6, .seed = 42});
  const Result<void> result = network.run([&](flow::Transport& transport) {
    flow::Graph graph = record_program(transport);  // of one rank, as with MPI
    flow::UniformPicker picker(42);
    flow::Executor executor({.picker = &picker}, transport, network.clock());
    const auto report = executor.run(graph, 10);
    if (!report) transport.abort(report.error().message);
  });

  ASSERT_TRUE(result) << result.error().message;
  for (std::size_t q = 0; q < 6; ++q) EXPECT_EQ(rings[q].sum, expected[q]) << q;
}

}  // namespace
}  // namespace thalweg::comm
