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

/// The state of all blocks of this rank, and the moment, at the start of the step under way, so
/// that the step can be taken again: what a checkpoint would have, in memory.
///
/// Cells without ghosts, and faces that are not derived; all else follows from them.
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

  /// Take memory for the blocks of a mesh; what was kept before is given up.
  void set_mesh(const Mesh<D>& mesh) {
    arrays_.clear();
    arrays_.resize(1 + mesh.points.size());
    const auto& geometry = mesh.forest.geometry;
    for (int level = 0; level < mesh.n_levels(); ++level) {
      const auto& keys = mesh.forest.level(level).keys;
      arrays_[0].emplace_back(geometry, keys, 0, n_components_, pools_[0]);
      for (std::size_t p = 0; p < mesh.points.size(); ++p)
        if (!mesh.points[p].is_derived)
          arrays_[1 + p].emplace_back(geometry, keys, 0, 1, pools_[1 + p],
                                      mesh.points[p].template centring<D>());
    }
  }
  /// Room for the cells of a block, by its position among those of its level.
  const View<double, D>& cells(int level, std::size_t block) const {
    return arrays_[0][static_cast<std::size_t>(level)].view(block);
  }
  /// Room for its points of an array of Mesh::points that is not derived.
  const View<double, D>& points(std::size_t array, int level, std::size_t block) const {
    return arrays_[1 + array][static_cast<std::size_t>(level)].view(block);
  }
  /// Make the cells and faces of a state what they were. Ghosts, what is derived, and blocks that
  /// are not advanced are what they are: StepRecorder::record_restriction does the rest.
  void put_back(const State<D>& state) const {
    put_back(arrays_[0], state.cells);
    for (std::size_t p = 0; p < state.points.size(); ++p) put_back(arrays_[1 + p], state.points[p]);
  }

  /// Bytes of memory taken from the system.
  std::size_t size_bytes() const {
    std::size_t n = 0;
    for (const auto& pool : pools_) n += pool.size_bytes();
    return n;
  }
  /// The same, at most, with the blocks of another forest.
  std::size_t size_bytes_with(const mesh::Forest<D>& forest) const {
    std::size_t n_blocks = 0;
    for (int level = 0; level < forest.n_levels(); ++level)
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
    return n;
  }

  TimeState time_state;  ///< the moment

 private:
  using Levels = std::vector<field::LevelField<D>>;

  static void put_back(const Levels& from, const Levels& to) {
    for (std::size_t l = 0; l < from.size(); ++l)
      for (std::size_t b = 0; b < from[l].size(); ++b)
        numerics::copy_cells<D>(from[l].view(b), to[l].view(b), from[l].view(b).box());
  }

  int n_components_;
  std::vector<field::BlockPool> pools_;  ///< of cells, then of each array of points
  std::vector<Levels> arrays_;           ///< likewise
};

}  // namespace thalweg::step
