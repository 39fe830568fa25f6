// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>

#include <thalweg/lulesh/regions.hpp>

namespace thalweg::lulesh {

/// What a task of the equation of state works on.
enum class ElementWork : std::uint8_t {
  block,   ///< a block of elements, the parts of regions in it one after another
  region,  ///< a part of a region, which touches many blocks
};

/// A problem, and how it is cut into tasks. The numbers depend on s alone, and the ranks.
struct Settings {
  int s = 30;  ///< elements along an edge of a rank
  RegionSettings regions{};
  std::int64_t last_cycle = 9'999'999;
  std::int64_t n_element_tasks = 8;  ///< of a rank, in a loop over elements
  std::int64_t n_node_tasks = 8;
  ElementWork element_work = ElementWork::block;

  bool operator==(const Settings&) const = default;
};

}  // namespace thalweg::lulesh
