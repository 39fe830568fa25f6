// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/broadcast.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace thalweg::cholesky {
namespace {

/// Whom place `at` of a binomial tree of n hears from and sends to; place 0 is the root.
/// The parent's number lacks the lowest bit that is set; children have one more, below that.
Route tree_route(Rank owner, std::span<const Rank> readers, std::size_t at) {
  const auto rank_at = [&](std::size_t place) { return place == 0 ? owner : readers[place - 1]; };
  const std::size_t n = readers.size() + 1;
  Route route;
  if (at > 0) route.from = rank_at(at & (at - 1));
  std::size_t bit = at > 0 ? at & (~at + 1) : std::bit_ceil(n);
  // Who has the most to pass on gets it first.
  while ((bit /= 2) > 0)
    if (at + bit < n) route.to.push_back(rank_at(at + bit));
  return route;
}

}  // namespace

Route route_of(Broadcast how, Rank owner, std::span<const Rank> readers, Rank rank) {
  const auto found = std::ranges::find(readers, rank);
  if (rank != owner && found == readers.end()) return {};
  if (how == Broadcast::tree)
    return tree_route(owner, readers,
                      rank == owner ? 0 : static_cast<std::size_t>(found - readers.begin()) + 1);
  if (rank == owner) return {.to = {readers.begin(), readers.end()}};
  return {.from = owner};
}

}  // namespace thalweg::cholesky
