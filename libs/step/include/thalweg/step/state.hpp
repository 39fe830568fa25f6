// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/points.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/sort_unique.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/substeps.hpp>

namespace thalweg::step {

/// The cells of all blocks of this rank, and room for the earlier states of those that need it.
template <int D>
struct State {
  std::vector<field::LevelField<D>> cells;  ///< by level, with ghost cells
  std::vector<field::LevelField<D>> saved;  ///< by level, the cells at the start of the step
  /// By array of Mesh::points and level: faces and nodes, with their ghosts.
  std::vector<std::vector<field::LevelField<D>>> points{};
};

/// Of which blocks the state at the start of a step is kept through it.
enum class Saved : std::uint8_t {
  none,            ///< schemes of one stage need none without subcycling
  read_by_finer,   ///< those from which finer levels interpolate in time
  all,             ///< as schemes of several stages need
  all_and_around,  ///< with a layer of ghost cells: where a stage reads it
};
/// Whether it is that of all blocks.
inline bool is_all(Saved which) {
  return which == Saved::all || which == Saved::all_and_around;
}
/// Ghost cells of the blocks in State::saved.
inline int n_saved_ghosts(Saved which) {
  return which == Saved::all_and_around ? 1 : 0;
}

/// Whether what a level saves is all that there is to keep of its cells for a step that is taken
/// again: of all blocks, and once in a step of level 0.
///
/// Saving then waits until the step before is known to stand. Where few blocks are saved, for finer
/// levels, that would cost more than their copies.
template <int D>
bool saved_is_backup(Saved which, const mesh::Geometry<D>& geometry, int level,
                     const TimeSettings& time) {
  return is_all(which) && n_substeps(geometry, level, time) == 1;
}

/// Where a state's memory comes from.
struct Pools {
  std::vector<field::BlockPool> cells;     ///< field::LevelField::array_pools
  std::vector<field::BlockPool> saved;     ///< likewise
  std::vector<field::BlockPool> points{};  ///< by array of Mesh::points
  field::JoinRule join_rule{};             ///< that of cells and saved

  std::size_t size_bytes() const {
    std::size_t n = 0;
    for (const auto* pools : {&cells, &saved, &points})
      for (const auto& pool : *pools) n += pool.size_bytes();
    return n;
  }
  /// Which blocks of a level are joined, as field::find_joined says.
  template <int D>
  std::vector<field::JoinedBlocks> find_joined(const mesh::Forest<D>& forest, int level) const {
    return field::find_joined<D>(forest.level(level).keys, level + 1 == forest.n_levels(),
                                 forest.geometry.block_cells(), join_rule);
  }
};

namespace detail {

/// How many arrays of one block there are, of 2 joined ones, of 4 and so on.
using ArrayCounts = std::array<std::size_t, 4>;

/// What pools of arrays will have taken when so many more are out at once.
inline std::size_t bytes_with(std::span<const field::BlockPool> pools, const ArrayCounts& more) {
  std::size_t n_bytes = 0;
  for (std::size_t p = 0; p < pools.size(); ++p) n_bytes += pools[p].size_bytes_with(more[p]);
  return n_bytes;
}

}  // namespace detail

/// Bytes that the pools will have taken, at most, when a state on a forest has replaced another.
template <int D>
std::size_t bytes_with(const Pools& pools, const mesh::Forest<D>& forest, const State<D>& before,
                       Saved which = Saved::read_by_finer) {
  detail::ArrayCounts fresh{}, saved{}, saved_before{};
  std::size_t n_new = 0;  // blocks
  const field::LevelField<D> nothing;
  for (int level = 0; level < forest.n_levels(); ++level) {
    const std::span<const mesh::Key<D>> keys = forest.level(level).keys;
    const auto l = static_cast<std::size_t>(level);
    const auto& old = l < before.cells.size() ? before.cells[l] : nothing;
    const auto joined = pools.find_joined(forest, level);
    field::for_each_array(keys.size(), std::span(joined),
                          [&](std::size_t first, std::size_t n, const auto*) {
                            const auto there = old.find(keys[first]);
                            if (!there || old.n_in_array(*there) != n)
                              ++fresh[field::pool_number(n)];
                            if (is_all(which)) ++saved[field::pool_number(n)];
                          });
    for (const auto& key : keys) n_new += !old.find(key);
    if (which == Saved::read_by_finer && level + 1 < forest.n_levels()) saved[0] += keys.size();
  }
  for (const auto& level : before.saved) {
    for (const auto& joined : level.joined()) ++saved_before[field::pool_number(joined.n)];
    saved_before[0] += level.n_alone();
  }
  for (std::size_t i = 0; i < saved.size(); ++i) saved[i] -= std::min(saved[i], saved_before[i]);
  std::size_t n_bytes =
      detail::bytes_with(pools.cells, fresh) + detail::bytes_with(pools.saved, saved);
  for (const auto& pool : pools.points) n_bytes += pool.size_bytes_with(n_new);
  return n_bytes;
}

/// Take memory for all blocks of a mesh.
///
/// Blocks that a state before had on this rank are taken over, with their cells; values of others
/// are unspecified. What that one saved is given up.
template <int D>
State<D> make_state(const Mesh<D>& mesh, int n_ghosts, int n_components, Pools& pools,
                    State<D>& before, Saved which = Saved::read_by_finer) {
  before.saved.clear();
  State<D> state;
  const auto& geometry = mesh.forest.geometry;
  for (int level = 0; level < mesh.n_levels(); ++level) {
    const auto& level_keys = mesh.forest.level(level).keys;
    const auto joined = pools.find_joined(mesh.forest, level);
    field::LevelField<D> nothing;
    const auto l = static_cast<std::size_t>(level);
    state.cells.emplace_back(geometry, level_keys, n_ghosts, n_components, pools.cells,
                             l < before.cells.size() ? before.cells[l] : nothing, joined);
    std::vector<mesh::Key<D>> read_later;
    if (is_all(which)) {
      read_later = level_keys;
    } else if (which == Saved::read_by_finer && level + 1 < mesh.n_levels()) {
      const auto& finer =
          mesh.plans[static_cast<std::size_t>(level + 1)].interface->coarse.transfers;
      for (const auto& copy : finer.locals) read_later.push_back(copy.src);
      for (const auto& message : finer.sends)
        for (const auto& copy : message.copies) read_later.push_back(copy.src);
      mesh::sort_unique(read_later);
    }
    // Where all blocks are saved, as they are advanced: joined ones together.
    state.saved.emplace_back(geometry, read_later, n_saved_ghosts(which), n_components, pools.saved,
                             nothing,
                             is_all(which) ? std::span<const field::JoinedBlocks>(joined)
                                           : std::span<const field::JoinedBlocks>{});
  }
  for (std::size_t array = 0; array < mesh.points.size(); ++array) {
    auto& levels = state.points.emplace_back();
    const auto& points = mesh.points[array];
    for (int level = 0; level < mesh.n_levels(); ++level) {
      field::LevelField<D> nothing;
      const auto l = static_cast<std::size_t>(level);
      const bool had = array < before.points.size() && l < before.points[array].size();
      levels.emplace_back(geometry, mesh.forest.level(level).keys, points.n_ghosts, 1,
                          pools.points[array], had ? before.points[array][l] : nothing,
                          points.template centring<D>());
    }
  }
  return state;
}

/// Take memory for all blocks of a mesh; values are unspecified.
template <int D>
State<D> make_state(const Mesh<D>& mesh, int n_ghosts, int n_components, Pools& pools,
                    Saved which = Saved::read_by_finer) {
  State<D> nothing;
  return make_state(mesh, n_ghosts, n_components, pools, nothing, which);
}

/// Give every block of a state its data in a recording; joined ones have the same.
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
    const auto worker_of = [&](std::size_t b) {
      return static_cast<std::uint32_t>(b * static_cast<std::size_t>(n_workers) / cells.size());
    };
    for (std::size_t b = 0; b < cells.size(); ++b) {
      const auto& key = cells.keys()[b];
      exchange::BlockData<D> block{.key = key,
                                   .valid = mesh.forest.geometry.cells(key),
                                   .cells = cells.view(b),
                                   .interior = recorder.datum("interior"),
                                   .ghosts = recorder.datum("ghosts"),
                                   .preferred_worker = worker_of(b)};
      if (l < state.saved.size())
        if (const auto i = state.saved[l].find(key))
          block.saved = {state.saved[l].view(*i), recorder.datum("saved")};
      level.blocks.push_back(block);
    }
    level.joined.reserve(cells.joined().size());
    const bool saves_joined = l < state.saved.size() && !state.saved[l].joined().empty();
    for (std::size_t j = 0; j < cells.joined().size(); ++j) {
      const auto& [first, n, array] = cells.joined()[j];
      level.join(first, n, array,
                 saves_joined ? state.saved[l].joined()[j].cells : View<double, D>());
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

/// The data of points in a recording, by array of Mesh::points and level.
template <int D>
using PointData = std::vector<std::vector<exchange::LevelData<D>>>;

/// Give every block of a state's arrays of points its data in a recording.
template <int D>
PointData<D> bind_points(flow::Recorder& recorder, const Mesh<D>& mesh, const State<D>& state,
                         int n_workers) {
  PointData<D> data(state.points.size());
  for (std::size_t array = 0; array < data.size(); ++array)
    for (std::size_t l = 0; l < state.points[array].size(); ++l)
      data[array].push_back(exchange::bind_points(
          recorder, mesh.forest.geometry, static_cast<int>(l), state.points[array][l],
          mesh.points[array].template centring<D>(), n_workers));
  return data;
}

}  // namespace thalweg::step
