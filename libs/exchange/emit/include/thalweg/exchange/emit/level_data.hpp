// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/task.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::exchange {

/// The state of a block at the start of the step, kept where a finer level interpolates in time, or
/// a scheme of several stages reads it.
template <int D>
struct SavedState {
  View<double, D> cells;  ///< the valid ones; a layer around them where a stage reads it
  flow::DatumId datum;
};

/// One block as tasks see it: where its cells are, and the data that stand for its parts.
///
/// Ghost cells are a datum of their own: filling them does not disturb who reads the valid cells.
/// Joined blocks, which lie in one array, have the same data.
template <int D>
struct BlockData {
  mesh::Key<D> key;
  Box<D> valid;           ///< cells of the block in its level's index space
  View<double, D> cells;  ///< with ghost cells
  flow::DatumId interior;
  flow::DatumId ghosts;
  std::optional<SavedState<D>> saved{};
  std::uint32_t preferred_worker = 0;  ///< who runs the block's tasks if nobody is idle
  bool is_joined = false;              ///< others have the same data

  /// How a task uses `interior` that sets all cells of the block.
  flow::Mode sets() const { return is_joined ? flow::Mode::inout : flow::Mode::out; }
  /// Who runs a task of the block, and what traces and messages say of it.
  flow::TaskOptions task_options() const {
    return {.preferred_worker = preferred_worker, .level = key.level, .block = key.code};
  }
};

/// What is filled and advanced at once: a block, or joined ones, which are a larger block.
template <int D>
struct BlockGroup {
  std::size_t first = 0;                 ///< position of the first block in its level
  std::span<const BlockData<D>> blocks;  ///< they have the same data, and worker
  Box<D> valid;
  View<double, D> cells;  ///< with ghost cells
  View<double, D> saved;  ///< no cells where the blocks' states are not saved together

  const BlockData<D>& front() const { return blocks.front(); }
  /// What a task is called that does something to them.
  const char* task_name(const TaskNames& names) const {
    return names.of(blocks.size(), std::size_t{1} << D);
  }
  /// The cells of the array that belong to a block: its own, and the ghost cells beside it that are
  /// not cells of the others. Those of all blocks make up the array.
  Box<D> share_of(const BlockData<D>& block) const {
    Box<D> share = block.valid;
    for (int a = 0; a < D; ++a) {
      if (share.lo[a] == valid.lo[a]) share.lo[a] = cells.box().lo[a];
      if (share.hi[a] == valid.hi[a]) share.hi[a] = cells.box().hi[a];
    }
    return share;
  }
};

/// The blocks of one level on this rank, sorted by key.
template <int D>
struct LevelData {
  /// Blocks that follow each other and lie in one array.
  struct Joined {
    std::size_t first;
    std::size_t n;
    View<double, D> cells;
    View<double, D> saved;
  };

  int level = 0;
  std::vector<BlockData<D>> blocks;
  std::vector<Joined> joined{};  ///< in order; all others are by themselves

  /// Say that n blocks from the first one on lie in one array.
  void join(std::size_t first, std::size_t n, const View<double, D>& cells,
            const View<double, D>& saved) {
    blocks[first].is_joined = true;
    for (std::size_t b = first + 1; b < first + n; ++b) {
      blocks[b].is_joined = true;
      blocks[b].interior = blocks[first].interior;
      blocks[b].ghosts = blocks[first].ghosts;
      blocks[b].preferred_worker = blocks[first].preferred_worker;
      if (saved.n_components() > 0) blocks[b].saved->datum = blocks[first].saved->datum;
    }
    joined.push_back({first, n, cells, saved});
  }
  /// Call f(BlockGroup) for all blocks, in order.
  template <class F>
  void for_each_group(F&& f) const {
    const std::span<const BlockData<D>> all = blocks;
    const auto saved_of = [](const BlockData<D>& block) {
      return block.saved ? block.saved->cells : View<double, D>();
    };
    field::for_each_array(all.size(), std::span(joined),
                          [&](std::size_t b, std::size_t n, const Joined* group) {
                            const auto members = all.subspan(b, n);
                            f(BlockGroup<D>{b,
                                            members,
                                            {members.front().valid.lo, members.back().valid.hi},
                                            group != nullptr ? group->cells : all[b].cells,
                                            group != nullptr ? group->saved : saved_of(all[b])});
                          });
  }

  /// @pre this rank has the block
  const BlockData<D>& at(const mesh::Key<D>& key) const {
    const auto it = std::ranges::lower_bound(blocks, key, {}, &BlockData<D>::key);
    THALWEG_EXPECT(it != blocks.end() && it->key == key, "the block is on another rank");
    return *it;
  }
};

}  // namespace thalweg::exchange
