// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/mesh/geometry.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// How many steps a level makes in one of level 0.
template <int D>
std::int64_t n_substeps(const mesh::Geometry<D>& geometry, int level, const TimeSettings& time) {
  return time.subcycle ? geometry.ratio_to_root(level) : 1;
}

/// Whether what a level saves at the start of its steps is its state at the start of one of level
/// 0: it makes one step in that.
template <int D>
bool is_saved_at_start(const mesh::Geometry<D>& geometry, int level, const TimeSettings& time) {
  return n_substeps(geometry, level, time) == 1;
}

}  // namespace thalweg::step
