// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <thalweg/field/block_pool.hpp>
#include <thalweg/field/fields.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// The state of all blocks of this rank, and where the run stands, at the start of the step under
/// way, so that the step can be taken again: what a checkpoint would have, in memory.
///
/// Cells without ghosts, and faces that are not derived; all else follows from them. Cells that
/// State::saved has, by saved_is_backup, are not copied again.
/// @threads tasks of different blocks keep theirs at once; else one
template <int D>
class StepBackup {
 public:
  /// @param points  the arrays on faces and at nodes, if there are any
  StepBackup(const mesh::BlockCells<D>& block_cells, int n_components,
             std::span<const field::PointArray> points = {},
             field::BlockSource source = field::BlockSource::slabs)
      : n_components_(n_components) {
    pools_.reserve(1 + points.size());
    pools_.emplace_back(Field::block_size(block_cells, 0, n_components), source);
    for (const auto& array : points)
      pools_.emplace_back(Field::block_size(block_cells, 0, 1, array.template centring<D>()),
                          source);
  }

  /// Take memory for the blocks of a mesh, where it is not that of the state; what was kept before
  /// is given up.
  /// @param which  of which blocks the state at the start of a step is saved
  void set_mesh(const Mesh<D>& mesh, const State<D>& state, Saved which, const TimeSettings& time) {
    arrays_.clear();
    arrays_.resize(1 + mesh.points.size());
    cells_.clear();
    arrays_[0].reserve(static_cast<std::size_t>(mesh.n_levels()));  // cells_ points there
    const auto& geometry = mesh.forest.geometry;
    for (int level = 0; level < mesh.n_levels(); ++level) {
      const auto& keys = mesh.forest.level(level).keys;
      const bool is_saved = saved_is_backup(which, geometry, level, time);
      const auto& own = arrays_[0].emplace_back(
          geometry, is_saved ? std::span<const mesh::Key<D>>{} : keys, 0, n_components_, pools_[0]);
      cells_.push_back(is_saved ? &state.saved[static_cast<std::size_t>(level)] : &own);
      for (std::size_t p = 0; p < mesh.points.size(); ++p)
        if (!mesh.points[p].is_derived)
          arrays_[1 + p].emplace_back(geometry, keys, 0, 1, pools_[1 + p],
                                      mesh.points[p].template centring<D>());
    }
  }
  /// Room for the cells of a block, by its position among those of its level.
  const View<double, D>& cells(int level, std::size_t block) const {
    return cells_[static_cast<std::size_t>(level)]->view(block);
  }
  /// Room for its points of an array of Mesh::points that is not derived.
  const View<double, D>& points(std::size_t array, int level, std::size_t block) const {
    return arrays_[1 + array][static_cast<std::size_t>(level)].view(block);
  }
  /// Make the cells and faces of a state what they were. Ghosts, what is derived, and blocks that
  /// are not advanced are what they are: StepRecorder::record_restriction does the rest.
  void put_back(const State<D>& state) const {
    for (std::size_t l = 0; l < cells_.size(); ++l) put_back(*cells_[l], state.cells[l]);
    for (std::size_t p = 0; p < state.points.size(); ++p)
      for (std::size_t l = 0; l < arrays_[1 + p].size(); ++l)
        put_back(arrays_[1 + p][l], state.points[p][l]);
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
      if (!saved_is_backup(which, forest.geometry, level, time))
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
  std::size_t list_bytes() const {
    std::size_t n = mesh::n_bytes(arrays_);
    for (const auto& levels : arrays_) {
      n += mesh::n_bytes(levels);
      for (const auto& level : levels) n += level.n_bytes();
    }
    return n + cells_.capacity() * sizeof(cells_[0]);
  }

  TimeState time_state;  ///< at the start of that step

 private:
  using Field = field::LevelField<D>;

  static void put_back(const Field& from, const Field& to) {
    for (std::size_t b = 0; b < from.size(); ++b)
      numerics::copy_cells<D>(from.view(b), to.view(b), from.view(b).box());
  }

  int n_components_;
  std::vector<field::BlockPool> pools_;  ///< of cells, then of each array of points
  /// Likewise, by level; of cells those that the state has not saved.
  std::vector<std::vector<Field>> arrays_;
  std::vector<const Field*> cells_;  ///< by level: in arrays_, or of the state
};

}  // namespace thalweg::step
