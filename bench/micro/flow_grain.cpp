// SPDX-License-Identifier: MIT
// bench: replaying a stencil of tiny tasks, several of which make one node, per task
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "no_transport.hpp"
#include "slices.hpp"
#include "stencil_record.hpp"

namespace {

using namespace thalweg;

constexpr bench::Stencil stencil{.n_steps = 64, .width = 256, .reach = 1};
constexpr std::uint32_t grains[] = {1, 2, 4, 8, 16, 32};

flow::Graph captured(std::uint32_t grain, std::uint32_t n_workers) {
  flow::Recorder recorder(Rank(0), 1, {.grain = grain});
  bench::Stencil points = stencil;
  points.n_workers = n_workers;
  bench::record(recorder, points);
  return flow::capture(std::move(recorder), flow::Model::dataflow);
}

void measure(bench::Report& report, std::uint32_t n_workers) {
  const SteadyClock clock;
  bench::NoTransport transport;
  flow::Executor executor({.n_workers = n_workers}, transport, clock);
  std::vector<flow::Graph> graphs;
  for (const std::uint32_t grain : grains) graphs.push_back(captured(grain, n_workers));
  constexpr std::uint64_t n_replays = 20;
  const auto samples =
      bench::time_in_turns(std::size(grains), bench::Timer::wall,
                           [&](std::size_t work) { (void)executor.run(graphs[work], n_replays); });
  const double per_task = 1.0 / static_cast<double>(stencil.n_tasks() * n_replays);
  for (std::size_t i = 0; i < std::size(grains); ++i)
    report.add(std::to_string(n_workers) + " workers, grain " + std::to_string(grains[i]), "ns",
               bench::scaled(samples[i], per_task));
}

}  // namespace

int main() {
  bench::Report report;
  measure(report, 1);
  measure(report, 2);
  report.print();
}
