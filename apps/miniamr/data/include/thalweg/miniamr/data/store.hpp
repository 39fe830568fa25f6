// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/shape.hpp>

namespace thalweg::miniamr::data {

/// The memory of one block: its cells, variable by variable, without ghost cells; with corners, its
/// ghost cells, face by face; then two sets of its six faces. A face is there variable by variable.
///
/// A set holds the outermost cells of the block once more, packed: what neighbours read. One set is
/// read while the other is written.
class BlockMemory {
 public:
  BlockMemory(const Shape& shape, double* begin) : shape_(&shape), begin_(begin) {}

  static std::size_t size(const Shape& shape) {
    return moving_size(shape) + static_cast<std::size_t>(shape.n_vars) *
                                    static_cast<std::size_t>(2 * shape.face_values());
  }
  /// Numbers of cells and kept ghost cells: the first ones, which go where the block goes.
  static std::size_t moving_size(const Shape& shape) {
    return static_cast<std::size_t>(shape.n_vars) *
           static_cast<std::size_t>(shape.n_cells() + shape.kept_values());
  }
  double* cells(int variable) const {
    return begin_ + std::ptrdiff_t{variable} * shape_->n_cells();
  }
  /// Shape::face_plane.
  double* face(int set, int face, int variable) const;
  /// All six.
  std::array<double*, 6> faces(int set, int variable) const;
  /// Ghost cells across a face: Shape::plane. @pre shape.has_corners
  double* kept(int face, int variable) const;
  /// Let a new block's kept ghost cells be 0, if it keeps any.
  void clear_kept() const;

 private:
  const Shape* shape_;
  double* begin_;
};

/// The blocks whose cells a rank holds, sorted by key, in memory that regridding uses again.
/// @threads one; tasks use the memory of blocks
class Store {
 public:
  explicit Store(const Shape& shape);

  const Shape& shape() const { return *shape_; }
  std::size_t size() const { return held_.size(); }
  const mesh::Key<3>& key(std::size_t i) const { return held_[i].key; }
  BlockMemory memory(std::size_t i) const { return {*shape_, held_[i].memory.get()}; }
  std::optional<std::size_t> find(const mesh::Key<3>& key) const;
  /// Bytes taken from the system.
  std::size_t size_bytes() const { return pool_->size_bytes(); }
  /// How often there was too little: each time a slab was taken.
  std::size_t n_slabs() const { return n_slabs_; }

  /// Take memory for so many blocks from the system now, and touch it: pages that are new cost more
  /// than what is first written to them, and should not come in the middle of a run.
  /// @param has_room  asked before each block; once it says no, no more is taken
  void reserve(std::size_t n_blocks, const std::function<bool()>& has_room);
  /// Hold these blocks, with contents unspecified, and no others. @pre sorted by key
  void assign(std::span<const mesh::Key<3>> keys);

  /// Hold the new blocks of a change: those that stay keep their cells, the others' are
  /// unspecified. Blocks that there are no longer can be read as retired() until end_regrid().
  void begin_regrid(const Origins& origins, Rank rank);
  BlockMemory retired(const mesh::Key<3>& key) const;
  /// Memory for n numbers until end_regrid(), in room for blocks. @pre n <= BlockMemory::size
  std::span<double> buffer(std::size_t n);
  void end_regrid();

 private:
  field::BlockPool::Block acquire();

  struct Held {
    mesh::Key<3> key;
    field::BlockPool::Block memory;
  };

  std::unique_ptr<Shape> shape_;            // where memory of blocks finds it, wherever this moves
  std::unique_ptr<field::BlockPool> pool_;  // likewise
  std::vector<Held> held_;
  std::vector<Held> retired_;
  std::vector<field::BlockPool::Block> buffers_;
  std::size_t n_used_ = 0;  ///< of the last buffer
  std::size_t n_slabs_ = 0;
};

}  // namespace thalweg::miniamr::data
