// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

namespace thalweg::bench {

/// Empty tasks (t, i): each after the tasks of step t - 1 within reach of i.
struct Stencil {
  std::uint32_t n_steps = 64;
  std::uint32_t width = 64;
  std::optional<std::uint32_t> reach{};  ///< 2 reach + 1 dependencies; none: no dependencies
  std::uint32_t n_workers = 1;           ///< points are spread over in blocks

  std::uint32_t n_tasks() const { return n_steps * width; }
  std::uint32_t owner(std::uint32_t point) const { return point * n_workers / width; }
  /// Call f(point) for the points of the step before that a point depends on.
  template <class F>
  void for_each_dependency(std::uint32_t point, F f) const {
    if (!reach) return;
    const std::uint32_t first = point - std::min(point, *reach);
    const std::uint32_t last = std::min(point + *reach, width - 1);
    for (std::uint32_t p = first; p <= last; ++p) f(p);
  }
};

}  // namespace thalweg::bench
