// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::cholesky {

/// How a tile gets from its owner to the ranks that read it.
enum class Broadcast : std::uint8_t {
  p2p,   ///< the owner sends it to each
  tree,  ///< a binomial tree: who has it sends it on, so the owner sends log2 of them at most
};

/// What one rank does in a broadcast.
struct Route {
  std::optional<Rank> from{};  ///< none: the owner, or a rank that takes no part
  std::vector<Rank> to{};      ///< in the order of sending

  bool operator==(const Route&) const = default;
};

/// The part of one rank in bringing something from its owner to its readers, of whom it is none.
Route route_of(Broadcast how, Rank owner, std::span<const Rank> readers, Rank rank);

}  // namespace thalweg::cholesky
