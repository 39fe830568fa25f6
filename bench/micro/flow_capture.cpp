// SPDX-License-Identifier: MIT
// bench: recording and capturing a stencil of empty tasks, per task, for several sizes
#include <string>
#include <utility>

#include <report.hpp>

#include <thalweg/core/huge_pages.hpp>

#include "slices.hpp"
#include "stencil_record.hpp"

namespace {

using namespace thalweg;

/// Ends in a destructor, which counts too: a graph is captured to be thrown away some day.
void record_and_capture(const bench::Stencil& stencil) {
  const flow::Graph graph = flow::capture(bench::record(stencil), flow::Model::dataflow);
}

/// As after a regrid: the new graph takes the memory of the one it replaces.
void record_again(flow::Graph& graph, const bench::Stencil& stencil) {
  auto recorder = flow::Recorder::replacing(std::move(graph));
  bench::record(recorder, stencil);
  graph = flow::capture(std::move(recorder), flow::Model::dataflow);
}

void measure(bench::Report& report, const bench::Stencil& stencil) {
  flow::Graph replaced = flow::capture(bench::record(stencil), flow::Model::dataflow);
  const auto samples = bench::time_in_turns(3, bench::Timer::cpu, [&](std::size_t work) {
    if (work == 0) bench::record(stencil);
    if (work == 1) record_and_capture(stencil);
    if (work == 2) record_again(replaced, stencil);
  });
  const std::string label = std::to_string(2 * *stencil.reach + 1) + " dependencies, " +
                            std::to_string(stencil.n_tasks()) + " tasks: ";
  report.add(label + "recording", "ns", bench::scaled(samples[0], 1.0 / stencil.n_tasks()));
  report.add(label + "with capture", "ns", bench::scaled(samples[1], 1.0 / stencil.n_tasks()));
  report.add(label + "replacing a graph", "ns", bench::scaled(samples[2], 1.0 / stencil.n_tasks()));
}

}  // namespace

int main() {
  thalweg::keep_freed_memory();  // as programs do
  bench::Report report;
  for (const std::uint32_t reach : {0u, 1u, 3u})
    for (const std::uint32_t n_steps : {16u, 128u, 1024u, 4096u})
      measure(report, {.n_steps = n_steps, .reach = reach});
  report.print();
}
