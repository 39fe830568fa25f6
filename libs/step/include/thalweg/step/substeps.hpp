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

}  // namespace thalweg::step
