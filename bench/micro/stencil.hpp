// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::bench {

/// Empty tasks (t, i): each after the tasks of step t - 1 within reach of i.
struct Stencil {
  std::uint32_t n_steps = 64;
  std::uint32_t width = 64;
  std::optional<std::uint32_t> reach{};  ///< 2 reach + 1 dependencies; none: no dependencies
  std::uint32_t n_workers = 1;           ///< points are dealt out to in blocks

  std::uint32_t n_tasks() const { return n_steps * width; }
  std::uint32_t home(std::uint32_t point) const { return point * n_workers / width; }
  /// Call f(point) for the points of the step before that a point depends on.
  template <class F>
  void for_each_dependency(std::uint32_t point, F f) const {
    if (!reach) return;
    const std::uint32_t first = point - std::min(point, *reach);
    const std::uint32_t last = std::min(point + *reach, width - 1);
    for (std::uint32_t p = first; p <= last; ++p) f(p);
  }
};

/// Record it as a program would: each point has two copies of its value, written in turn.
///
/// That a copy is read before it is overwritten adds no edges: its readers are dependencies too.
inline void record(flow::Recorder& recorder, const Stencil& stencil) {
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
      recorder.task("stencil", accesses, [](flow::TaskContext&) {},
                    {.home_worker = stencil.home(i)});
    }
}
inline flow::Recorder record(const Stencil& stencil) {
  flow::Recorder recorder(Rank(0), 1);
  record(recorder, stencil);
  return recorder;
}

}  // namespace thalweg::bench
