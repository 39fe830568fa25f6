// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// The collectives that adapting and partitioning need: rounds of messages, and values of each rank
/// on every rank.
///
/// `exchange` is as in messages.hpp, `all_gather` gives the values by rank; `all_gather_many` those
/// of rank 0, then of rank 1 and so on, where each gives as many, in a list that ranks may share.
/// `all_reduce` combines them in rank order, op(T, T): the same on every rank, and no list of them.
/// All are for every trivially copyable type, and all ranks call them in the same order.
///
/// `write_node_shared` makes a list that is the same on all ranks, for them to share: one of them
/// calls write(std::span<std::uint64_t>) for itself and the others, so all must be able to.
///
/// `ring_shift` gives a list to the rank so many above and returns that of the one as many below,
/// both modulo n_ranks: what is passed on by powers of two reaches all ranks in log2(n_ranks) of
/// them.
///
/// Valid: a struct with a transport and the six as templates over flow's collectives. Invalid: a
/// function that only exchanges, which is enough to find neighbours.
template <class R>
concept Collectives = requires(R& collectives, const Messages<std::int64_t>& out, std::int64_t mine,
                               std::span<const std::int64_t> some) {
  { collectives.exchange(out) } -> std::same_as<Messages<std::int64_t>>;
  { collectives.all_gather(mine) } -> std::same_as<std::vector<std::int64_t>>;
  { collectives.all_gather_many(some) } -> std::same_as<NodeSharedArray<std::int64_t>>;
  { collectives.all_reduce(mine, std::plus<>()) } -> std::same_as<std::int64_t>;
  { collectives.ring_shift(some, std::int64_t{}) } -> std::same_as<std::vector<std::int64_t>>;
  {
    collectives.write_node_shared(std::size_t{}, [](std::span<std::uint64_t>) {})
  } -> std::same_as<NodeSharedArray<std::uint64_t>>;
};

}  // namespace thalweg::mesh
