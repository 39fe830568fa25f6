// SPDX-License-Identifier: MIT
// What every back end is asked on several ranks.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include <thalweg/backends/config.hpp>
#include <thalweg/flow/graph.hpp>

#include "distributed_program.hpp"

namespace thalweg::backends {

/// Run this rank's part of a random program and compare what it owns with the serial result.
template <class Executor>
void expect_serial_result(flow::Transport& transport, const Config& config,
                          const comm::DistributedProgram& program, flow::Model model) {
  constexpr std::uint64_t n_replays = 4;
  std::vector<std::uint64_t> values = program.initial();
  const std::vector<std::uint64_t> expected = program.serial_result(n_replays);
  flow::Recorder recorder(transport.rank(), transport.n_ranks());
  program.record(recorder, values);
  const flow::Graph graph = flow::capture(std::move(recorder), model);
  Executor executor(config, transport);

  const auto report = executor.run(graph, n_replays);

  ASSERT_TRUE(report) << report.error().message;
  for (std::uint32_t d = 0; d < values.size(); ++d)
    if (program.owner(d) == transport.rank()) {
      EXPECT_EQ(values[d], expected[d]) << to_string(model);
    }
}

}  // namespace thalweg::backends
