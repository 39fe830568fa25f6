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
    std::size_t first;      ///< position of the first one
    std::size_t n;          ///< how many follow each other, with it
    View<double, D> cells;  ///< of all of them, with the ghost cells around
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
  /// @param pools   as array_pools gives them
  /// @param joined  as find_joined gives them
  LevelField(const mesh::Geometry<D>& geometry, std::span<const mesh::Key<D>> keys, int n_ghosts,
             int n_components, std::span<BlockPool> pools, LevelField& before,
             std::span<const JoinedBlocks> joined);

  /// Doubles that one block takes.
  static std::size_t block_size(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                int n_components, const Centring<D>& centring = {}) {
    return View<double, D>::size_of(centring.points(Box<D>{{}, block_cells}).grown(n_ghosts),
                                    n_components);
  }

  /// Doubles that so many joined blocks take.
  static std::size_t joined_size(const mesh::BlockCells<D>& block_cells, std::size_t n,
                                 int n_ghosts, int n_components) {
    const Box<D> cells = joined_cells(Box<D>{{}, block_cells}, n);
    return View<double, D>::size_of(cells.grown(n_ghosts), n_components);
  }

  /// Pools of arrays of one block, of 2 joined ones, of 4 and so on: as many as a rule joins.
  static std::vector<BlockPool> array_pools(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                            int n_components, const JoinRule& rule = {},
                                            BlockSource source = BlockSource::slabs) {
    std::vector<BlockPool> pools;
    for (std::size_t n = 1; n <= rule.template most_joined<D>(block_cells); n *= 2)
      pools.emplace_back(joined_size(block_cells, n, n_ghosts, n_components), source);
    return pools;
  }

  /// Doubles that a block takes at least, with blocks joined as a rule says.
  static double least_block_size(const mesh::BlockCells<D>& block_cells, int n_ghosts,
                                 int n_components, const JoinRule& rule) {
    const std::size_t n = rule.template most_joined<D>(block_cells);
    return static_cast<double>(joined_size(block_cells, n, n_ghosts, n_components)) /
           static_cast<double>(n);
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
  std::size_t n_alone() const {
    std::size_t n = size();
    for (const Joined& joined : joined_) n -= joined.n;
    return n;
  }
  /// The position of a key, if this rank holds it.
  std::optional<std::size_t> find(const mesh::Key<D>& key) const;
  /// How many blocks lie in the array that begins with the block at this position; 0 where none
  /// does.
  std::size_t n_in_array(std::size_t i) const {
    if (blocks_[i] == nullptr) return 0;
    const auto it = std::ranges::lower_bound(joined_, i, {}, &Joined::first);
    return it != joined_.end() && it->first == i ? it->n : 1;
  }

 private:
  void take_blocks(const mesh::Geometry<D>& geometry, int n_ghosts, int n_components,
                   std::span<BlockPool> pools, LevelField& before, const Centring<D>& centring,
                   std::span<const JoinedBlocks> joined = {});

  std::vector<mesh::Key<D>> keys_;
  std::vector<View<double, D>> views_;
  std::vector<BlockPool::Block> blocks_;  ///< by key; of joined ones the first has the array
  std::vector<Joined> joined_;
};

extern template class LevelField<1>;
extern template class LevelField<2>;
extern template class LevelField<3>;

}  // namespace thalweg::field
