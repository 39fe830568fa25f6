// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <type_traits>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

/// The rank that decides whether a key will exist: the directory rank of its parent's place in the
/// old forest.
///
/// Where the old forest has no such level, the directory rank of the finest ancestor's place.
/// Either way the ranks' parts of a level follow each other along the curve.
template <int D>
Destination parent_directory_rank(const Forest<D>& old, const Key<D>& key);

/// Number of levels that a regrid can make of a forest: one more than it has, up to the finest.
template <int D>
int n_levels_after(const Forest<D>& old);

/// First round of nesting: send the wanted keys, of any levels above 0, to the directory ranks of
/// their parents.
template <int D>
Outgoing<Key<D>> send_wanted(const Forest<D>& old,
                             std::type_identity_t<std::span<const Key<D>>> wanted);
/// The keys wanted in this rank's care, without repetitions; level 0 is complete.
template <int D>
KeySets<D> collect_wanted(const Forest<D>& old, const Messages<Key<D>>& arrived);
/// One round a level, from n_levels_after - 2 down to 1: ask for what supports the next finer
/// level.
///
/// That is the parents of its blocks and the parents' neighbours.
template <int D>
Outgoing<Key<D>> send_support(const Forest<D>& old, const KeySets<D>& sets, int level);
/// The sets with what was asked for added.
template <int D>
KeySets<D> collect_support(KeySets<D> sets, const Messages<Key<D>>& arrived);

}  // namespace thalweg::mesh
