// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::exchange::testing {

/// What the mesh asks of all ranks together; can be called as an exchange too.
struct VirtualRounds {
  flow::Transport* transport;

  template <class T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    return flow::exchange_sparse<T>(*transport, std::span(out));
  }
  template <class T>
  mesh::Messages<T> operator()(const mesh::Messages<T>& out) {
    return exchange(out);
  }
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    return flow::all_gather(*transport, mine);
  }
  template <class T>
  std::vector<T> all_gather_many(std::span<const T> mine) {
    return flow::all_gather_v(*transport, mine).values;
  }
};

/// One virtual rank of a test: swaps messages with the others and runs what it has recorded.
class VirtualRank {
 public:
  VirtualRank(flow::Transport& transport, const Clock& clock)
      : transport_(transport),
        picker_(transport.rank()()),
        executor_({.scratch_bytes = std::size_t{1} << 20, .picker = &picker_}, transport, clock) {}

  Rank rank() const { return transport_.rank(); }
  int n_ranks() const { return transport_.n_ranks(); }
  flow::Transport& transport() { return transport_; }
  flow::Recorder recorder() const { return {rank(), n_ranks()}; }

  /// Rounds of messages, as the mesh's functions want them.
  VirtualRounds exchange() { return {&transport_}; }
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
inline void on_virtual_ranks(int n_ranks, const std::function<void(VirtualRank&)>& program) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 1});
  const auto done = network.run([&](flow::Transport& transport) {
    VirtualRank self(transport, network.clock());
    program(self);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace thalweg::exchange::testing
