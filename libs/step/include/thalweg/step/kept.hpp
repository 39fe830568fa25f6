// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/substeps.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// The state of all blocks of this rank, and the moment, at the start of the step under way, so
/// that the step can be taken again: what a checkpoint would have, in memory.
///
/// Cells without ghosts, and faces that are not derived; all else follows from them. Of blocks
/// whose saved state (State::saved) is that of the start of the step, as those of level 0, it is
/// that.
/// @threads tasks of different blocks keep theirs at once; else one
template <int D>
class Kept {
 public:
  /// @param points  the arrays on faces and at nodes, if there are any
  Kept(const mesh::BlockCells<D>& block_cells, int n_components,
       std::span<const field::PointArray> points = {},
       field::BlockSource source = field::BlockSource::slabs)
      : n_components_(n_components) {
    using Field = field::LevelField<D>;
    pools_.reserve(1 + points.size());
    pools_.emplace_back(Field::block_size(block_cells, 0, n_components), source);
    for (const auto& array : points)
      pools_.emplace_back(Field::block_size(block_cells, 0, 1, array.template centring<D>()),
                          source);
  }

  /// Take memory for the blocks of a mesh that have no saved state of the start of the step; what
  /// was kept before is given up.
  void set_mesh(const Mesh<D>& mesh, const State<D>& state, const TimeSettings& time) {
    arrays_.clear();
    arrays_.resize(1 + mesh.points.size());
    cells_.clear();
    const auto& geometry = mesh.forest.geometry;
    for (int level = 0; level < mesh.n_levels(); ++level) {
      const auto& keys = mesh.forest.level(level).keys;
      set_cells(geometry, keys, state.saved[static_cast<std::size_t>(level)],
                is_saved_at_start(geometry, level, time));
      for (std::size_t p = 0; p < mesh.points.size(); ++p)
        if (!mesh.points[p].is_derived)
          arrays_[1 + p].emplace_back(geometry, keys, 0, 1, pools_[1 + p],
                                      mesh.points[p].template centring<D>());
    }
  }
  /// Room for the cells of a block, by its position among those of its level.
  const View<double, D>& cells(int level, std::size_t block) const {
    return cells_[static_cast<std::size_t>(level)][block];
  }
  /// Room for its points of an array of Mesh::points that is not derived.
  const View<double, D>& points(std::size_t array, int level, std::size_t block) const {
    return arrays_[1 + array][static_cast<std::size_t>(level)].view(block);
  }
  /// Make the cells and faces of a state what they were. Ghosts, what is derived, and blocks that
  /// are not advanced are what they are: StepRecorder::record_restriction does the rest.
  void put_back(const State<D>& state) const {
    for (std::size_t l = 0; l < cells_.size(); ++l)
      for (std::size_t b = 0; b < cells_[l].size(); ++b)
        put_back(cells_[l][b], state.cells[l].view(b));
    for (std::size_t p = 0; p < state.points.size(); ++p)
      for (std::size_t l = 0; l < arrays_[1 + p].size(); ++l) {
        const auto& from = arrays_[1 + p][l];
        for (std::size_t b = 0; b < from.size(); ++b)
          put_back(from.view(b), state.points[p][l].view(b));
      }
  }

  /// Bytes of memory taken from the system.
  std::size_t size_bytes() const {
    std::size_t n = 0;
    for (const auto& pool : pools_) n += pool.size_bytes();
    return n;
  }
  /// The same, at most, with the blocks of another forest.
  /// @param which  of which blocks the state at the start of a step is saved
  std::size_t size_bytes_with(const mesh::Forest<D>& forest, Saved which,
                              const TimeSettings& time) const {
    std::size_t n_blocks = 0;
    for (int level = 0; level < forest.n_levels(); ++level)
      if (which != Saved::all || !is_saved_at_start(forest.geometry, level, time))
        n_blocks += forest.level(level).keys.size();
    std::size_t n_before = 0;
    if (!arrays_.empty())
      for (const auto& level : arrays_[0]) n_before += level.size();
    std::size_t n = 0;
    for (const auto& pool : pools_)
      n += pool.size_bytes_with(n_blocks - std::min(n_blocks, n_before));
    return n;
  }
  /// Bytes of lists on the heap, as in mesh/memory.hpp.
  std::size_t n_bytes() const {
    std::size_t n = mesh::n_bytes(arrays_);
    for (const auto& levels : arrays_)
      for (const auto& level : levels) n += level.n_bytes();
    n += cells_.capacity() * sizeof(cells_[0]);
    for (const auto& level : cells_) n += level.capacity() * sizeof(level[0]);
    return n;
  }

  TimeState time_state;  ///< the moment

 private:
  using Levels = std::vector<field::LevelField<D>>;

  void set_cells(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys,
                 const field::LevelField<D>& saved, bool saved_at_start) {
    const auto saved_as = [&](const mesh::Key<D>& key) {
      return saved_at_start ? saved.find(key) : std::nullopt;
    };
    std::vector<mesh::Key<D>> own_keys;
    for (const auto& key : keys)
      if (!saved_as(key)) own_keys.push_back(key);
    const auto& own = arrays_[0].emplace_back(geometry, own_keys, 0, n_components_, pools_[0]);
    auto& views = cells_.emplace_back();
    views.reserve(keys.size());
    for (const auto& key : keys) {
      const auto at = saved_as(key);
      views.push_back(at ? saved.view(*at) : own.view(*own.find(key)));
    }
  }
  static void put_back(const View<double, D>& from, const View<double, D>& to) {
    numerics::copy_cells<D>(from, to, from.box());
  }

  int n_components_;
  std::vector<field::BlockPool> pools_;  ///< of cells, then of each array of points
  std::vector<Levels> arrays_;           ///< likewise; of cells those that are not saved
  std::vector<std::vector<View<double, D>>> cells_;  ///< by level and block, wherever they are
};

}  // namespace thalweg::step
