// SPDX-License-Identifier: MIT
// A program that changes now and then in part: only that part of its graph is recorded again.
//
// 100 blocks are smoothed; every 5 steps one of them is made finer, and needs more sweeps.
#include <cstdio>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph_cache.hpp>

using namespace thalweg;

namespace {

constexpr std::size_t n_blocks = 100;

struct Mesh {
  std::uint64_t revision = 1;
  std::vector<int> n_sweeps = std::vector<int>(n_blocks, 1);  ///< of a block

  void refine(std::size_t block) {
    ++n_sweeps[block];
    ++revision;
  }
};

/// @return the values of all blocks, and how many sections were recorded
std::pair<std::vector<double>, int> run(bool forgets) {
  Mesh mesh;
  std::vector<double> values(n_blocks, 1.0);
  int n_recorded = 0;
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    const auto new_cache = [&] {
      return flow::GraphCache(transport.rank(), transport.n_ranks(), flow::Model::dataflow);
    };
    flow::GraphCache cache = new_cache();
    flow::Executor executor({}, transport, network.clock());
    std::vector<flow::DatumId> blocks;  // named once: data made outside sections live on

    const auto record = [&](flow::Recorder& r) {
      if (blocks.empty())
        for (std::size_t b = 0; b < n_blocks; ++b) blocks.push_back(r.datum("block"));
      for (std::size_t b = 0; b < n_blocks; ++b) {
        const auto revision = static_cast<std::uint64_t>(mesh.n_sweeps[b]);
        r.section(b, revision, [&](flow::Recorder& section) {
          ++n_recorded;
          std::vector<flow::Access> accesses{{blocks[b], flow::Mode::inout}};
          if (b > 0) accesses.push_back({blocks[b - 1], flow::Mode::in});
          for (int sweep = 0; sweep < mesh.n_sweeps[b]; ++sweep)
            section.task("sweep", accesses, [&values, b](flow::TaskContext&) {
              values[b] = 0.5 * values[b] + (b > 0 ? 0.4 * values[b - 1] : 0.1);
            });
        });
      }
    };
    for (std::size_t cycle = 0; cycle < 20; ++cycle) {
      if (forgets) {
        cache = new_cache();
        blocks.clear();
      }
      flow::Graph& graph = cache.at(mesh.revision, record);
      if (const auto ran = executor.run(graph, 5); !ran) transport.abort(ran.error().message);
      mesh.refine(37 * cycle % n_blocks);
    }
  });
  if (!done) std::printf("%s\n", done.error().message.c_str());
  return {values, n_recorded};
}

}  // namespace

int main() {
  const auto [values, n_recorded] = run(false);
  const auto [values_anew, n_recorded_anew] = run(true);
  std::printf("%d sections recorded; everything anew each time: %d; the bits are %s\n", n_recorded,
              n_recorded_anew, values == values_anew ? "the same" : "OTHERS");
  return values == values_anew && n_recorded == 119 && n_recorded_anew == 2000 ? 0 : 1;
}
