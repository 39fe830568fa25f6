// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace thalweg::app {

/// A block of this rank as it lies in memory, for who does not know the dimension.
struct LocalBlock {
  std::vector<std::int64_t> lower;    ///< its first cell, by axis, in the index space of its level
  std::vector<std::int64_t> extent;   ///< cells along each axis
  int n_ghosts = 0;                   ///< cells on each side of it beside these
  const double* data = nullptr;       ///< component 0 of the first cell; ghost cells lie before it
  std::vector<std::int64_t> strides;  ///< from a cell to the next along each axis [doubles]
  std::int64_t component_stride = 0;  ///< from a component to the next [doubles]
};

/// The blocks of a level that are on this rank, along the curve.
struct LocalLevel {
  std::vector<double> cell_size;  ///< by axis [length]
  std::vector<LocalBlock> blocks;
};

/// All blocks of this rank. They lie where they are, and stay the blocks of these cells, as long as
/// AnySimulation::blocks_revision() is the same. Tiles of phase space are blocks of one level, with
/// axes x and v.
struct LocalBlocks {
  std::uint64_t revision = 0;
  std::vector<double> lower, upper;  ///< corners of the domain, by axis [length]
  std::vector<LocalLevel> levels;
};

}  // namespace thalweg::app
