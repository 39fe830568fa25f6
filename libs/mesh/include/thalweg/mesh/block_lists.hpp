// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>

namespace thalweg::mesh {

/// Blocks that are divided among ranks together: those of a level, or all leaves. As one rank
/// knows them: those whose directory it is.
template <int D>
struct BlockList {
  std::span<const Key<D>> keys;              ///< along Morton's curve
  std::span<const std::uint64_t> splitters;  ///< where each rank's part of the curve begins
  int level = 0;                             ///< whose places the splitters count
  std::int64_t first_global = 0;             ///< blocks of lower ranks
  std::int64_t n_global = 0;                 ///< blocks of all ranks
};

/// What is divided, list by list. Refers to the forest that it is of.
template <int D>
struct BlockLists {
  const Geometry<D>& geometry;
  Rank rank;
  int n_ranks = 1;
  std::vector<BlockList<D>> lists{};
};

/// One list a level. @pre there is a table
template <int D>
BlockLists<D> lists_of(const Forest<D>& by_morton) {
  BlockLists<D> blocks{by_morton.geometry, by_morton.rank, by_morton.n_ranks};
  for (const LevelSet<D>& set : by_morton.levels)
    blocks.lists.push_back({set.keys,
                            {set.directory.splitters().data(), set.directory.splitters().size()},
                            static_cast<int>(blocks.lists.size()),
                            set.first_global,
                            set.n_global});
  return blocks;
}

/// One list of all leaves. @pre there is a table
template <int D>
BlockLists<D> lists_of(const LeafForest<D>& leaves) {
  return {leaves.geometry(),
          leaves.rank,
          leaves.n_ranks,
          {{leaves.leaves,
            {leaves.directory.splitters().data(), leaves.directory.splitters().size()},
            leaves.geometry().max_level(),
            leaves.first_global,
            leaves.n_global}}};
}

}  // namespace thalweg::mesh
