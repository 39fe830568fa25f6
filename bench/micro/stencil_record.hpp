// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "stencil.hpp"

namespace thalweg::bench {

/// Record it as a program would: each point has two copies of its value, written in turn.
///
/// That a copy is read before it is overwritten adds no edges: its readers are dependencies too.
/// @param body_of body_of(t, i) is what a task does
template <class F>
void record(flow::Recorder& recorder, const Stencil& stencil, F body_of) {
  std::vector<flow::DatumId> values;
  for (std::uint32_t i = 0; i < 2 * stencil.width; ++i) values.push_back(recorder.datum("value"));
  std::vector<flow::Access> accesses;
  for (std::uint32_t t = 0; t < stencil.n_steps; ++t)
    for (std::uint32_t i = 0; i < stencil.width; ++i) {
      accesses.clear();
      stencil.for_each_dependency(i, [&](std::uint32_t p) {
        accesses.push_back({values[2 * p + (t + 1) % 2], flow::Mode::in});
      });
      if (stencil.reach) accesses.push_back({values[2 * i + t % 2], flow::Mode::out});
      recorder.task("stencil", accesses, body_of(t, i), {.preferred_worker = stencil.owner(i)});
    }
}
/// The same with tasks that do nothing.
inline void record(flow::Recorder& recorder, const Stencil& stencil) {
  record(recorder, stencil, [](std::uint32_t, std::uint32_t) { return [](flow::TaskContext&) {}; });
}
template <class F>
flow::Recorder record(const Stencil& stencil, F body_of) {
  flow::Recorder recorder(Rank(0), 1);
  record(recorder, stencil, body_of);
  return recorder;
}
inline flow::Recorder record(const Stencil& stencil) {
  flow::Recorder recorder(Rank(0), 1);
  record(recorder, stencil);
  return recorder;
}

}  // namespace thalweg::bench
