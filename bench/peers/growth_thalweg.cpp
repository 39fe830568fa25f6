// SPDX-License-Identifier: MIT
// Recording and capturing the same tasks, and throwing the graph away.
#include <array>
#include <cstdint>
#include <vector>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "growth.hpp"

namespace {

using namespace thalweg;
using bench::now_ns;
using bench::Stencil;
using bench::Timer;

void record_and_capture(const Stencil& stencil) {
  flow::Recorder recorder(Rank(0), 1);
  const std::uint32_t row = stencil.width + 2;
  std::vector<flow::DatumId> values;
  for (std::uint32_t i = 0; i < 2 * row; ++i) values.push_back(recorder.datum("value"));
  const flow::DatumId common = recorder.datum("common");
  const auto nothing = [](flow::TaskContext&) {};
  recorder.task("first", std::array{flow::Access{common, flow::Mode::out}}, nothing);
  for (std::uint32_t t = 0; t < stencil.n_steps; ++t)
    for (std::uint32_t i = 0; i < stencil.width; ++i) {
      const auto read = [&](std::uint32_t p) {
        return flow::Access{values[(t + 1) % 2 * row + p], flow::Mode::in};
      };
      const flow::Access written{values[t % 2 * row + i + 1], flow::Mode::out};
      recorder.task("stencil",
                    std::array{read(i), read(i + 1), read(i + 2),
                               flow::Access{common, flow::Mode::in}, written},
                    nothing);
    }
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
}

double submit(const Stencil& stencil) {
  const double start = now_ns(Timer::wall);
  record_and_capture(stencil);
  return now_ns(Timer::wall) - start;
}

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::growth_main(argc, argv, submit);
}
