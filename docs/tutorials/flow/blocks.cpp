// SPDX-License-Identifier: MIT
// Many small blocks: a step recorded as a part of its own (nested), several run at a time (grain).
#include <cstdio>
#include <string>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>

using namespace thalweg;

namespace {

constexpr std::size_t n_blocks = 64, n_cells = 8;

/// Advance blocks by a step in two stages. What the stages share is nobody else's business.
void record_step(flow::Recorder& r, const std::vector<flow::Data<double>>& blocks) {
  std::vector<flow::Data<double>> fluxes;
  for (const auto& block : blocks) {
    fluxes.push_back(r.data<double>("flux", n_cells + 1));
    r.task("flux", uses(in(block), out(fluxes.back())), [](auto u, auto f) {
      f[0] = f[n_cells] = 0;
      for (std::size_t i = 1; i < n_cells; ++i) f[i] = 0.1 * (u[i - 1] - u[i]);
    });
  }
  for (std::size_t b = 0; b < blocks.size(); ++b)
    r.task("update", uses(in(fluxes[b]), inout(blocks[b])), [](auto f, auto u) {
      for (std::size_t i = 0; i < n_cells; ++i) u[i] += f[i] - f[i + 1];
    });
}

/// @return all cells after 10 steps, and how many nodes a step has
std::pair<std::vector<double>, std::size_t> run(std::uint32_t grain) {
  std::vector<double> result;
  std::size_t n_nodes = 0;
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder r(transport.rank(), transport.n_ranks(), {.grain = grain});
    std::vector<flow::Data<double>> blocks;
    for (std::size_t b = 0; b < n_blocks; ++b)
      blocks.push_back(r.data<double>("block", n_cells, static_cast<double>(b)));
    for (const auto& block : blocks) r.task("kick", uses(inout(block)), [](auto u) { u[0] += 1; });
    // "advance/flux" and "advance/update" may touch the blocks, and what they make themselves.
    std::vector<flow::Access> declared;
    for (const auto& block : blocks) declared.push_back(inout(block).access());
    r.nested("advance", declared, [&](flow::Recorder& inner) { record_step(inner, blocks); });

    flow::Graph graph = capture(std::move(r), flow::Model::dataflow);
    n_nodes = graph.n_tasks();
    flow::Executor executor({}, transport, network.clock());
    if (const auto ran = executor.run(graph, 10); !ran) transport.abort(ran.error().message);
    for (const auto& block : blocks)
      result.insert(result.end(), block.const_view().begin(), block.const_view().end());
  });
  if (!done) std::printf("%s\n", done.error().message.c_str());
  return {result, n_nodes};
}

}  // namespace

int main() {
  const auto [cells, n_nodes] = run(1);
  const auto [cells_by_8, n_nodes_by_8] = run(8);
  std::printf("%zu nodes; with grain 8 %zu, and the bits are %s\n", n_nodes, n_nodes_by_8,
              cells == cells_by_8 ? "the same" : "OTHERS");
  return !cells.empty() && cells == cells_by_8 && n_nodes_by_8 < n_nodes ? 0 : 1;
}
