// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/vec.hpp>

namespace thalweg::miniamr {

/// A published input: options, and root blocks that grow with the nodes (weak scaling).
struct Preset {
  std::string_view name;
  std::string_view what;
  std::string_view options;         ///< as on a command line
  std::string_view scaled_options;  ///< these go after them, for --scaled
};

std::span<const Preset> presets();

/// A preset, and how much of it.
struct PresetChoice {
  const Preset* preset = nullptr;
  int n_nodes = 1;  ///< a power of two, up to 256
  bool is_scaled = false;

  /// The options, as words of a command line.
  std::vector<std::string> words() const;
  /// Blocks of level 0 on each axis: 4 x 4 x 4 a node, 2 x 2 x 2 where scaled; more nodes double
  /// x, then y, then z.
  Index<3> root_blocks() const;
};

/// A grid of ranks that share out the root blocks equally, as cubic as can be; none where none
/// fits.
std::optional<Index<3>> grid_of_ranks(const Index<3>& root_blocks, int n_ranks);

}  // namespace thalweg::miniamr
