// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>

#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/ratios.hpp>

namespace thalweg::mesh {

/// Cells of a block on each axis: one number for all axes, or one an axis.
template <int D>
struct BlockCells : Index<D> {
  constexpr BlockCells(int n) : Index<D>(Index<D>::filled(n)) {}
  constexpr BlockCells(const Index<D>& n) : Index<D>(n) {}
  constexpr BlockCells(std::same_as<int> auto... n)
    requires(D > 1 && sizeof...(n) == D)
      : Index<D>{{n...}} {}

  constexpr bool operator==(const BlockCells&) const = default;
  /// The fewest on any axis: as far as ghost cells and buffers can reach.
  constexpr int fewest() const { return std::ranges::min(this->at); }
};

/// Where the centre of a cell lies: what Geometry::centre gives, for many cells of a level.
/// @param lower  corner of the domain   @param cell_size  of the level [length]
template <int D>
Vec<D> centre_of(const Vec<D>& lower, const Vec<D>& cell_size, const Index<D>& cell) {
  Vec<D> x;
  for (int a = 0; a < D; ++a) x[a] = lower[a] + (cell[a] + 0.5) * cell_size[a];
  return x;
}

/// The domain, and how every level divides it into blocks and cells. The same on all ranks.
///
/// Level l has root_blocks times all ratios between it and level 0 blocks an axis, of block_cells
/// cells each; cells of a level are numbered from 0 at the lower corner of the domain.
template <int D>
class Geometry {
 public:
  struct Config {
    Vec<D> lower{};                              ///< lower corner of the domain [length]
    Vec<D> upper = Vec<D>::filled(1.0);          ///< upper corner of the domain [length]
    Index<D> root_blocks = Index<D>::filled(1);  ///< blocks of level 0 an axis, >= 1
    BlockCells<D> block_cells = 16;              ///< of each axis: 8..64, multiples of the ratios
    Ratios ratio = 2;                            ///< one, or one for each level but the finest
    int max_level = 0;                           ///< finest level allowed, >= 0
    BasicVec<bool, D> periodic{};                ///< axes on which the domain wraps around

    constexpr bool operator==(const Config&) const = default;
  };

  /// The unit cube in one block.
  Geometry() : Geometry(Config{}) {}
  /// @errors throws Error where a value is outside its range, or the finest level has too many
  /// cells
  explicit Geometry(const Config& config);

  bool operator==(const Geometry&) const = default;

  const Config& config() const { return config_; }
  const BlockCells<D>& block_cells() const { return config_.block_cells; }
  /// The ratio between a level and the next finer one. @pre 0 <= level
  int ratio(int level) const { return config_.ratio.of(level); }
  /// The ratio of the cell sizes of level 0 and a level. @pre 0 <= level <= max_level
  std::int64_t ratio_to_root(int level) const {
    return std::int64_t{1} << config_.ratio.log2_between(0, level);
  }
  int max_level() const { return config_.max_level; }
  bool is_periodic(int axis) const { return config_.periodic[axis]; }

  /// Width of a cell on each axis [length]; exactly ratio(level) times that of the next level.
  Vec<D> cell_size(int level) const;
  /// Where the centre of a cell lies [length].
  Vec<D> centre(int level, const Index<D>& cell) const;
  /// The cell of a level that a point lies in: at a face the upper one, outside the domain the next
  /// one inside. That of a coarser level holds that of a finer one.
  Index<D> cell_at(int level, const Vec<D>& x) const;
  /// The block of a level that one of its cells is in.
  Key<D> block_of(int level, const Index<D>& cell) const {
    return key_at<D>(level, floor_div(cell, config_.block_cells));
  }
  /// Number of blocks each axis has where a level covers the whole domain.
  Index<D> blocks_at(int level) const;
  /// All cells of a level, as if it covered the whole domain.
  Box<D> domain_cells(int level) const;
  /// One more than the largest code a block of a level can have.
  std::uint64_t code_end(int level) const;

  /// Whether a key names a block inside the domain on an allowed level.
  bool contains(const Key<D>& key) const;
  /// The cells of a block in the index space of its level.
  Box<D> cells(const Key<D>& key) const;
  /// The parent's key. @pre key.level > 0
  Key<D> parent(const Key<D>& key) const { return mesh::parent(key, ratio(key.level - 1)); }
  /// The key of the block of a coarser or the same level that a block lies in.
  Key<D> ancestor(const Key<D>& key, int level) const {
    return mesh::ancestor(key, level, config_.ratio);
  }

  /// The block at an offset in {-1, 0, 1}^D, around periodic axes; none outside the domain.
  std::optional<Key<D>> neighbour(const Key<D>& key, const Index<D>& offset) const;
  /// What to add to a cell index next to a block to find the same cell where its neighbour has it.
  ///
  /// Zero but where the way to the neighbour leaves the domain across a periodic axis.
  Index<D> wrap_shift(const Key<D>& key, const Index<D>& offset) const;

 private:
  Config config_;
};

}  // namespace thalweg::mesh
