// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange::testing {

/// One virtual rank of a test: swaps messages with the others and runs what it has recorded.
class VirtualRank {
 public:
  /// @param seed  of the order in which tasks run
  VirtualRank(flow::Transport& transport, const Clock& clock, std::uint64_t seed)
      : transport_(transport),
        picker_(hash_number(transport.rank()(), seed)),
        executor_({.scratch_bytes = std::size_t{1} << 20, .picker = &picker_}, transport, clock) {}

  Rank rank() const { return transport_.rank(); }
  int n_ranks() const { return transport_.n_ranks(); }
  flow::Transport& transport() { return transport_; }
  flow::Recorder recorder() const { return {rank(), n_ranks()}; }

  /// Of all ranks, as the mesh wants them.
  TransportCollectives collectives() { return TransportCollectives(transport_); }
  /// Run a recording, its tasks in random order.
  /// @return how many times it ran to its end
  std::uint64_t run(flow::Recorder&& recorder, std::uint64_t n_replays = 1) {
    auto graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    const auto report = executor_.run(graph, n_replays);
    if (!report) throw std::runtime_error(report.error().message);
    return report->n_replays;
  }

 private:
  flow::Transport& transport_;
  flow::UniformPicker picker_;
  flow::Executor executor_;
};

/// Run a program on virtual ranks; what fails on one of them fails the test.
/// @param seed  of what delays messages and of the order in which tasks run
inline void on_virtual_ranks(int n_ranks, const std::function<void(VirtualRank&)>& program,
                             std::uint64_t seed = 1) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    VirtualRank self(transport, network.clock(), seed);
    program(self);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace thalweg::exchange::testing
