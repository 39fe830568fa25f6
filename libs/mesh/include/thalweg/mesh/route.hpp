// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// Whether an address is less than so many ranks above this one, modulo n_ranks.
/// @param finger  log2 of the distance, below n_ranks  @pre the forest has no table
template <int D>
bool is_within(const Forest<D>& forest, const Address& to, int finger);

/// Send messages to keepers of places where there is no table; returns what arrived, as a round
/// does (messages.hpp). Collective.
///
/// What is as far or further than 2^k ranks above goes 2^k up, for each k from the largest down: so
/// it comes to the keeper where nobody else need know who that is. In each round a rank hears from
/// one other.
/// @cost ceil(log2 n_ranks) rounds; each message is copied as often at most
/// @source the order of ranks and places is that of Stoica et al., "Chord", SIGCOMM 2001
template <int D, class T, Rounds R>
Messages<T> route(const Forest<D>& forest, const Addressed<Address, T>& out, R& rounds) {
  struct Parcel {
    Address to;
    Rank from;
    T value;
  };
  std::vector<Parcel> parcels;
  parcels.reserve(out.size());
  for (const auto& [to, value] : out) parcels.push_back({to, forest.rank, value});

  std::vector<Parcel> moving;
  for (int k = std::bit_width(static_cast<unsigned>(forest.n_ranks - 1)); k-- > 0;) {
    const auto stays = [&](const Parcel& p) { return is_within(forest, p.to, k); };
    const auto kept = std::stable_partition(parcels.begin(), parcels.end(), stays);
    moving.assign(kept, parcels.end());
    parcels.erase(kept, parcels.end());
    const auto received = rounds.shift(std::span<const Parcel>(moving), std::int64_t{1} << k);
    parcels.insert(parcels.end(), received.begin(), received.end());
  }
  // Parcels with one source and destination have travelled together, in order.
  std::stable_sort(parcels.begin(), parcels.end(),
                   [](const Parcel& a, const Parcel& b) { return a.from < b.from; });
  Messages<T> arrived;
  arrived.reserve(parcels.size());
  for (const Parcel& p : parcels) arrived.emplace_back(p.from, p.value);
  return arrived;
}

/// A round of messages to keepers of a forest's places, by table or routed. Collective.
/// @param send  what goes out, as a template: send.operator()<Rank>() or <Address>()
template <int D, Rounds R, class Send>
auto to_keepers(const Forest<D>& forest, R& rounds, Send&& send) {
  if (forest.directory == Directory::table)
    return rounds.exchange(send.template operator()<Rank>());
  return route(forest, send.template operator()<Address>(), rounds);
}

}  // namespace thalweg::mesh
