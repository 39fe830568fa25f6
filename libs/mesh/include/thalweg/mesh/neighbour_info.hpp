// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::mesh {

/// A block of the next finer level that is a neighbour of one of this rank's blocks, or in one.
template <int D>
struct FineNeighbour {
  Key<D> key;
  NeighbourMask<D> mask;
  Rank owner;

  bool operator==(const FineNeighbour&) const = default;
};

/// What a rank knows about one level beyond its own keys.
template <int D>
struct LevelNeighbourInfo {
  std::vector<NeighbourMask<D>> masks;  ///< of this rank's blocks, in their order
  std::vector<FineNeighbour<D>>
      fine_neighbours;  ///< blocks of the next level whose parent is one of this
                        ///< rank's blocks or their neighbours; sorted by key
  bool operator==(const LevelNeighbourInfo&) const = default;
};

/// The neighbours of this rank's blocks on all levels of a forest.
template <int D>
struct NeighbourInfo {
  std::uint64_t revision = 0;  ///< of the forest they were made for
  std::vector<LevelNeighbourInfo<D>> levels;

  bool operator==(const NeighbourInfo&) const = default;
};

/// First round: tell the owners of the places around each block that it exists. Nothing where
/// owners are listed, as the forest knows what is around.
template <int D>
Messages<Key<D>> send_presence(const Forest<D>& forest);
/// The masks of this rank's blocks, from what arrived in the first round.
template <int D>
NeighbourInfo<D> collect_masks(const Forest<D>& forest, const Messages<Key<D>>& arrived);
/// Second round: tell the owners of the parent's neighbourhood about each block and its mask.
template <int D>
Messages<FineNeighbour<D>> send_fine(const Forest<D>& forest, const NeighbourInfo<D>& masks);
/// The masks and the fine neighbours, from what arrived in the second round.
template <int D>
NeighbourInfo<D> collect_fine(NeighbourInfo<D> masks, const Messages<FineNeighbour<D>>& arrived);

/// Learn the neighbours on all levels in two rounds. Collective. @cost O(local blocks)
template <int D, Collectives R>
NeighbourInfo<D> find_neighbour_info(const Forest<D>& forest, R&& collectives) {
  const auto masks = collect_masks<D>(forest, collectives.exchange(send_presence(forest)));
  return collect_fine<D>(masks, collectives.exchange(send_fine(forest, masks)));
}

}  // namespace thalweg::mesh
