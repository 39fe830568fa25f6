// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <vector>

#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// What the functions of leaf mode ask of all ranks together: rounds of messages, and one value of
/// each rank on every rank.
///
/// `exchange` is as in messages.hpp, `all_gather` gives the values by rank; both for every
/// trivially copyable type. All ranks call them in the same order.
///
/// Valid: a struct with a transport and the two as templates over flow's exchange_sparse and
/// all_gather. Invalid: a function that only exchanges, which is enough for nested mode.
template <class R>
concept Rounds = requires(R& rounds, const Messages<std::int64_t>& out, std::int64_t mine) {
  { rounds.exchange(out) } -> std::same_as<Messages<std::int64_t>>;
  { rounds.all_gather(mine) } -> std::same_as<std::vector<std::int64_t>>;
};

}  // namespace thalweg::mesh
