// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

namespace thalweg {

/// Number of the cell that a place lies in, counted from the lower side: at a face, or as near
/// below it as roundings are, that of the upper cell. On a coarser level that of the cell around
/// it.
/// @param cells_of_level_0  from the lower side to the place, in cells of level 0
/// @param ratio             cells of the level in one of level 0
inline double cell_number(double cells_of_level_0, double ratio) {
  constexpr double rounding = 1e-9;
  return std::floor((cells_of_level_0 + rounding) * ratio);
}

}  // namespace thalweg
