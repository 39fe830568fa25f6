// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::mesh {

/// A block of the next finer level, near one of this rank's blocks.
template <int D>
struct FineNear {
  Key<D> key;
  NeighbourMask<D> mask;
  Rank owner;

  bool operator==(const FineNear&) const = default;
};

/// What a rank knows about one level beyond its own keys.
template <int D>
struct Neighbourhood {
  std::vector<NeighbourMask<D>> masks;  ///< of this rank's blocks, in their order
  std::vector<FineNear<D>> fine_near;   ///< blocks of the next level whose parent is one of this
                                        ///< rank's blocks or their neighbours; sorted by key
  bool operator==(const Neighbourhood&) const = default;
};

/// The neighbourhoods of all levels of a forest.
template <int D>
struct Neighbourhoods {
  std::uint64_t revision = 0;  ///< of the forest they were made for
  std::vector<Neighbourhood<D>> levels;

  bool operator==(const Neighbourhoods&) const = default;
};

/// First round: tell the owners of the places around each block that it exists. Nothing where
/// owners are listed, as the forest knows what is around.
template <int D>
Messages<Key<D>> send_presence(const Forest<D>& forest);
/// The masks of this rank's blocks, from what arrived in the first round.
template <int D>
Neighbourhoods<D> collect_masks(const Forest<D>& forest, const Messages<Key<D>>& arrived);
/// Second round: tell the owners of the parent's neighbourhood about each block and its mask.
template <int D>
Messages<FineNear<D>> send_fine(const Forest<D>& forest, const Neighbourhoods<D>& masks);
/// The masks and the fine blocks near, from what arrived in the second round.
template <int D>
Neighbourhoods<D> collect_fine(Neighbourhoods<D> masks, const Messages<FineNear<D>>& arrived);

/// Learn the neighbourhoods of all levels in two rounds. Collective. @cost O(local blocks)
template <int D, class Exchange>
Neighbourhoods<D> find_neighbourhoods(const Forest<D>& forest, Exchange&& exchange) {
  const auto masks = collect_masks<D>(forest, exchange(send_presence(forest)));
  return collect_fine<D>(masks, exchange(send_fine(forest, masks)));
}

}  // namespace thalweg::mesh
