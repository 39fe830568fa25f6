// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::exchange {

/// The state of a block before its last step, kept where a finer level interpolates in time.
template <int D>
struct SavedState {
  View<double, D> cells;  ///< valid cells only
  flow::DatumId datum;
};

/// One block as tasks see it: where its cells are, and the data that stand for its parts.
///
/// Ghost cells are a datum of their own: filling them does not disturb who reads the valid cells.
template <int D>
struct BlockData {
  mesh::Key<D> key;
  Box<D> valid;           ///< cells of the block in its level's index space
  View<double, D> cells;  ///< with ghost cells
  flow::DatumId interior;
  flow::DatumId ghosts;
  std::optional<SavedState<D>> saved{};
  std::uint32_t preferred_worker = 0;  ///< who runs the block's tasks if nobody is idle
};

/// The blocks of one level on this rank, sorted by key.
template <int D>
struct LevelData {
  int level = 0;
  std::vector<BlockData<D>> blocks;

  /// @pre this rank has the block
  const BlockData<D>& at(const mesh::Key<D>& key) const {
    const auto it = std::ranges::lower_bound(blocks, key, {}, &BlockData<D>::key);
    THALWEG_EXPECT(it != blocks.end() && it->key == key, "the block is on another rank");
    return *it;
  }
};

}  // namespace thalweg::exchange
