// SPDX-License-Identifier: MIT
// Cell updates a second of whole timesteps on one rank: 4 x 4 x 7 blocks of 12^3 cells with 40
// variables, 20 stages, a checksum at every fifth. Read "items_per_second".
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <benchmark/benchmark.h>

#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/miniamr/data/initial.hpp>
#include <thalweg/miniamr/data/stages.hpp>

namespace thalweg::miniamr::data {
namespace {

/// All blocks of a level, on this rank.
Layout uniform_layout(const Index<3>& n) {
  Layout layout;
  for (int b = 0; b < product(n); ++b) {
    const Index<3> place{b % n[0], b / n[0] % n[1], b / n[0] / n[1]};
    Block block{mesh::key_at<3>(0, place), {}};
    for (int face = 0; face < 6; ++face) {
      Index<3> there = place;
      const int axis = face / 2;
      there[axis] += face % 2 == 0 ? -1 : 1;
      if (there[axis] < 0 || there[axis] == n[axis]) continue;
      block.faces[static_cast<std::size_t>(face)].push_back({mesh::key_at<3>(0, there), Rank(0)});
    }
    layout.blocks.push_back(block);
  }
  std::ranges::sort(layout.blocks, {}, &Block::key);
  return layout;
}

void timesteps(benchmark::State& state, const comm::Session& session) {
  const auto model = static_cast<flow::Model>(state.range(0));
  const auto n_workers = static_cast<std::uint32_t>(state.range(1));
  const int n = static_cast<int>(state.range(2));
  const Index<3> roots{4, 4, 7};
  const Layout layout = uniform_layout(roots);
  const Shape shape{{n, n, n}, 40};
  Store store(shape);
  std::vector<mesh::Key<3>> keys;
  for (const Block& block : layout.blocks) keys.push_back(block.key);
  store.assign(keys);
  set_hashed(store, roots);

  comm::MpiTransport transport(session);
  const SteadyClock clock;
  flow::Executor executor({.n_workers = n_workers, .scratch_bytes = scratch_bytes(shape)},
                          transport, clock);
  const auto run = [&](auto record) {
    flow::Recorder recorder(Rank(0), 1);
    record(recorder);
    return flow::capture(std::move(recorder), model);
  };
  Checksums checksums{.last = std::vector<double>(40)};
  auto first = run([&](auto& r) { record_first_checksums(r, store, checksums); });
  const StageSettings settings{.n_workers = n_workers};
  auto step = run([&](auto& r) { record_timestep(r, settings, layout, store, checksums); });
  const auto replay = [&](flow::Graph& graph, std::uint64_t times) {
    if (const auto done = executor.run(graph, times); !done)
      throw std::runtime_error(done.error().message);
  };
  replay(first, 1);
  for (auto _ : state) replay(step, 2);
  state.SetItemsProcessed(state.iterations() * 2 * settings.n_stages * product(roots) *
                          shape.n_cells() * shape.n_vars);
}

}  // namespace
}  // namespace thalweg::miniamr::data

int main(int argc, char** argv) {
  const thalweg::comm::Session session(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  using thalweg::flow::Model;
  auto* const bench = benchmark::RegisterBenchmark("timesteps", [&](benchmark::State& state) {
    thalweg::miniamr::data::timesteps(state, session);
  });
  bench->ArgNames({"model", "workers", "n"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int n : {8, 12, 18}) {
    bench->Args({static_cast<int>(Model::bulk), 1, n});
    bench->Args({static_cast<int>(Model::forkjoin), 2, n});
    bench->Args({static_cast<int>(Model::dataflow), 2, n});
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
