// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/step/mesh.hpp>

namespace thalweg::step {

/// The cells of all blocks of this rank, and room for the earlier states of those that need it.
template <int D>
struct State {
  std::vector<field::LevelField<D>> cells;  ///< by level, with ghost cells
  std::vector<field::LevelField<D>> saved;  ///< by level, valid cells of blocks a finer one reads
};

/// Where a state's memory comes from.
struct Pools {
  field::BlockPool cells;
  field::BlockPool saved;
};

/// Take memory for all blocks of a mesh; values are unspecified.
template <int D>
State<D> make_state(const Mesh<D>& mesh, int n_ghosts, int n_components, Pools& pools) {
  State<D> state;
  const auto& geometry = mesh.forest.geometry;
  for (int level = 0; level < mesh.n_levels(); ++level) {
    state.cells.emplace_back(geometry, mesh.forest.level(level).keys, n_ghosts, n_components,
                             pools.cells);
    std::set<mesh::Key<D>> read_by_finer;
    if (level + 1 < mesh.n_levels()) {
      const auto& finer =
          mesh.plans[static_cast<std::size_t>(level + 1)].interface->coarse.transfers;
      for (const auto& copy : finer.locals) read_by_finer.insert(copy.src);
      for (const auto& message : finer.sends)
        for (const auto& copy : message.copies) read_by_finer.insert(copy.src);
    }
    const std::vector<mesh::Key<D>> keys(read_by_finer.begin(), read_by_finer.end());
    state.saved.emplace_back(geometry, keys, 0, n_components, pools.saved);
  }
  return state;
}

/// Give every block of a state its data in a recording.
///
/// Blocks are divided among the workers in contiguous pieces of the curve.
template <int D>
std::vector<exchange::LevelData<D>> bind(flow::Recorder& recorder, const Mesh<D>& mesh,
                                         const State<D>& state, int n_workers) {
  std::vector<exchange::LevelData<D>> levels;
  for (std::size_t l = 0; l < state.cells.size(); ++l) {
    const auto& cells = state.cells[l];
    exchange::LevelData<D> level{static_cast<int>(l), {}};
    level.blocks.reserve(cells.size());
    for (std::size_t b = 0; b < cells.size(); ++b) {
      const auto& key = cells.keys()[b];
      exchange::BlockData<D> block{.key = key,
                                   .valid = mesh.forest.geometry.cells(key),
                                   .cells = cells.view(b),
                                   .interior = recorder.datum("interior"),
                                   .ghosts = recorder.datum("ghosts")};
      if (const auto i = state.saved[l].find(key))
        block.saved = {state.saved[l].view(*i), recorder.datum("saved")};
      block.home_worker =
          static_cast<std::uint32_t>(b * static_cast<std::size_t>(n_workers) / cells.size());
      level.blocks.push_back(block);
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace thalweg::step
