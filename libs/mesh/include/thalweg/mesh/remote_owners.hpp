// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <utility>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

// Where owners are listed, directory ranks bring those together whose blocks are neighbours.

/// Tells a directory rank that a block is there, or asks who owns the neighbours of a place.
template <int D>
struct NeighbourQuery {
  Key<D> key;
  std::int32_t is_here = 0;  ///< 0: a question
};

/// Whether this rank is the directory of all places of the next finer level in a block and around
/// it.
template <int D>
bool is_directory_around_family(const Forest<D>& forest, const Key<D>& parent);

/// First round: tell the directory ranks of the neighbouring places that a block is here; ask who
/// owns the neighbours of its parent. Nothing of blocks in the midst of what the rank owns.
template <int D>
Outgoing<NeighbourQuery<D>> send_neighbour_queries(const Forest<D>& forest);
/// Second round: directory ranks answer with the neighbours.
template <int D>
Messages<OwnedKey<D>> send_answers(const Forest<D>& forest,
                                   const Messages<NeighbourQuery<D>>& arrived);
/// The forest with the owners of its blocks' remote neighbours.
template <int D>
Forest<D> with_remote_owners(Forest<D> forest, const Messages<OwnedKey<D>>& arrived);

/// Learn who owns the neighbours of a rank's blocks and of their parents: a halo directory.
/// Collective.
/// @cost two rounds, O(local blocks)
template <int D, Collectives R>
Forest<D> find_remote_owners(Forest<D> forest, R& collectives) {
  const auto queries =
      exchange_with_directory(forest, collectives, send_neighbour_queries<D>(forest));
  const auto answers = collectives.exchange(send_answers(forest, queries));
  return with_remote_owners(std::move(forest), answers);
}

}  // namespace thalweg::mesh
