// SPDX-License-Identifier: MIT
// A program that changes now and then: its graph is recorded again, in the memory of the old one.
//
// 100 blocks are smoothed; every 5 steps one of them is made finer, and needs more sweeps.
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

namespace {

constexpr std::size_t n_blocks = 100;

/// A block depends on the one before it; its datum is named anew in each recording.
void record(flow::Recorder& recorder, const std::vector<int>& n_sweeps,
            std::vector<double>& values) {
  std::optional<flow::DatumId> before;
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const flow::DatumId block = recorder.datum("block");
    std::vector<flow::Access> accesses{{block, flow::Mode::inout}};
    if (before) accesses.push_back({*before, flow::Mode::in});
    for (int sweep = 0; sweep < n_sweeps[b]; ++sweep)
      recorder.task("sweep", accesses, [&values, b](flow::TaskContext&) {
        values[b] = 0.5 * values[b] + (b > 0 ? 0.4 * values[b - 1] : 0.1);
      });
    before = block;
  }
}

/// @return the values of all blocks
std::vector<double> run(bool reuses_memory) {
  std::vector<int> n_sweeps(n_blocks, 1);
  std::vector<double> values(n_blocks, 1.0);
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Executor executor({}, transport, network.clock());
    std::optional<flow::Graph> graph;
    for (std::size_t cycle = 0; cycle < 20; ++cycle) {
      flow::Recorder recorder = graph && reuses_memory
                                    ? flow::Recorder::replacing(std::move(*graph))
                                    : flow::Recorder(transport.rank(), transport.n_ranks());
      record(recorder, n_sweeps, values);
      graph.emplace(flow::capture(std::move(recorder), flow::Model::dataflow));
      if (const auto ran = executor.run(*graph, 5); !ran) transport.abort(ran.error().message);
      ++n_sweeps[37 * cycle % n_blocks];
    }
  });
  if (!done) std::printf("%s\n", done.error().message.c_str());
  return values;
}

}  // namespace

int main() {
  const bool are_same = run(true) == run(false);
  std::printf(
      "recorded 20 times, in the memory of the graph before and in fresh memory: the bits "
      "are %s\n",
      are_same ? "the same" : "OTHERS");
  return are_same ? 0 : 1;
}
