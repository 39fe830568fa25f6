// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/centring.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/field/block_pool.hpp>
#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::field {

/// The cells of the blocks that one rank holds of one level, with ghost cells, sorted by key; or
/// the points of another centring, with ghost points.
///
/// Neighbours have the points between them both: whose value counts, exchange/plan says.
/// @invariant view(i) belongs to keys()[i]; memory stays where it is until the block is released
template <int D>
class LevelField {
 public:
  /// Blocks that lie in one array.
  struct Joined {
    std::size_t first;      ///< position of the first one; n_joined<D> follow each other
    View<double, D> cells;  ///< of all of them, with the ghost cells around
  };
  /// Which blocks are joined, and where their memory is from.
  struct Joining {
    std::span<const std::size_t> first;  ///< as find_joined gives them
    BlockPool* pool;                     ///< hands out blocks of at least joined_size
  };

  LevelField() = default;
  /// Take a block from the pool for every key.
  /// @pre keys are sorted; the pool outlives the field and hands out blocks of at least block_size
  LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys, int n_ghosts,
             int n_components, BlockPool& pool, const Centring<D>& centring = {});
  /// As above, but take over the blocks that another field has of these keys, cells and all.
  ///
  /// That field's views of them stay valid as long as this one has them.
  /// @pre `before` has blocks of the same shape, from the same pool
  LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys, int n_ghosts,
             int n_components, BlockPool& pool, LevelField& before,
             const Centring<D>& centring = {});
  /// As above, of cells, with some of the blocks joined: arrays are taken over that have the same
  /// blocks.
  LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys, int n_ghosts,
             int n_components, BlockPool& pool, LevelField& before, const Joining& joining);

  /// Doubles that one block takes.
  static std::size_t block_size(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                int n_components, const Centring<D>& centring = {}) {
    return View<double, D>::size_of(centring.points(Box<D>{{}, block_cells}).grown(n_ghosts),
                                    n_components);
  }

  /// Doubles that joined blocks take.
  static std::size_t joined_size(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                 int n_components) {
    return View<double, D>::size_of(Box<D>{{}, 2 * block_cells}.grown(n_ghosts), n_components);
  }

  /// Doubles that a block takes at least, with blocks joined as a rule says.
  static double least_block_size(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                 int n_components, const JoinRule& rule) {
    if (rule.template allows<D>(block_cells))
      return static_cast<double>(joined_size(block_cells, n_ghosts, n_components)) / n_joined<D>;
    return static_cast<double>(block_size(block_cells, n_ghosts, n_components));
  }

  /// Bytes of lists: keys, views and blocks, but not the blocks' memory, which is the pool's.
  std::size_t n_bytes() const {
    return keys_.capacity() * sizeof(keys_[0]) + views_.capacity() * sizeof(views_[0]) +
           blocks_.capacity() * sizeof(blocks_[0]) + joined_.capacity() * sizeof(joined_[0]);
  }
  std::size_t size() const { return keys_.size(); }
  std::span<const mesh::Key<D>> keys() const { return keys_; }
  /// All cells or points of a block, ghosts included. Where it is joined to others these have cells
  /// of them.
  const View<double, D>& view(std::size_t i) const { return views_[i]; }
  /// The blocks that lie in one array, in order.
  std::span<const Joined> joined() const { return joined_; }
  /// How many blocks lie in arrays of their own.
  std::size_t n_alone() const { return size() - joined_.size() * n_joined<D>; }
  /// The position of a key, if this rank holds it.
  std::optional<std::size_t> find(const mesh::Key<D>& key) const;
  /// Whether the block at this position is the first of joined ones.
  bool is_first_of_joined(std::size_t i) const {
    return std::ranges::binary_search(joined_, i, {}, &Joined::first);
  }
  /// Whether it lies in an array of its own.
  bool is_alone(std::size_t i) const { return blocks_[i] != nullptr && !is_first_of_joined(i); }

 private:
  void take_blocks(const mesh::Geometry<D>& geometry, int n_ghosts, int n_components,
                   BlockPool& pool, LevelField& before, const Centring<D>& centring,
                   const Joining& joining = {});

  std::vector<mesh::Key<D>> keys_;
  std::vector<View<double, D>> views_;
  std::vector<BlockPool::Block> blocks_;  ///< by key; of joined ones the first has the array
  std::vector<Joined> joined_;
};

extern template class LevelField<1>;
extern template class LevelField<2>;
extern template class LevelField<3>;

}  // namespace thalweg::field
