// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <utility>

#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/rounds.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {

// Where owners are listed, keepers bring those together whose blocks are near each other.

/// A block of a rank tells a keeper that it is there, or asks what is around a place.
template <int D>
struct Notice {
  Key<D> key;
  std::int32_t is_here = 0;  ///< 0: a question
};

/// Whether this rank keeps all places of the next finer level in a block and around it.
template <int D>
bool keeps_around_family(const Forest<D>& forest, const Key<D>& parent);

/// First round: tell the keepers of the places around that a block is here; ask who is around its
/// parent. Nothing of blocks in the midst of what the rank keeps and owns.
template <int D, class To = Rank>
Addressed<To, Notice<D>> send_notices(const Forest<D>& forest);
/// Second round: keepers answer with the blocks around.
template <int D>
Messages<OwnedKey<D>> send_answers(const Forest<D>& forest, const Messages<Notice<D>>& arrived);
/// The forest with what is around its blocks.
template <int D>
Forest<D> with_others(Forest<D> forest, const Messages<OwnedKey<D>>& arrived);

/// Learn who owns the blocks around a rank's own and around their parents. Collective.
/// @cost two rounds, O(local blocks)
template <int D, Rounds R>
Forest<D> find_others(Forest<D> forest, R& rounds) {
  const auto notices =
      to_keepers(forest, rounds, [&]<class To>() { return send_notices<D, To>(forest); });
  const auto answers = rounds.exchange(send_answers(forest, notices));
  return with_others(std::move(forest), answers);
}

}  // namespace thalweg::mesh
