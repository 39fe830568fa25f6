// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/parcels.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/rounds.hpp>

namespace thalweg::mesh {

/// What is less than so many ranks above one, modulo n_ranks, of a line that ranks divide.
///
/// They have a part each, which may be empty, in their order.
struct Reach {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool wraps = false;  ///< past the last rank it goes on with the first

  bool contains(std::uint64_t place) const {
    return wraps ? place >= begin || place < end : place >= begin && place < end;
  }
};

/// @param fingers  where the parts of this rank and of those 1, 2, 4, ... above begin
/// @param finger   log2 of the distance, below n_ranks
Reach reach_of(std::span<const std::uint64_t> fingers, Rank rank, int n_ranks, int finger);

/// Whether an address is less than 2^finger ranks above this one, modulo n_ranks.
/// @pre the forest has no table
template <int D>
bool is_within(const Forest<D>& forest, const Address& to, int finger);
/// As above, of a leaf in which a place begins.
template <int D>
bool is_within(const LeafForest<D>& forest, const Address& to, int finger);

/// Whom a message is to and from on its way.
struct RouteLabel {
  Address to;
  Rank from;
};

/// Bring messages to keepers of places where there is no table; those that came here. Collective.
/// @tparam F  of forest, with is_within as above
///
/// What is as far or further than 2^k ranks above goes 2^k up, for each k from the largest down: so
/// it comes to the keeper where nobody else need know who that is. In each round a rank hears from
/// one other.
/// @cost ceil(log2 n_ranks) rounds; each message is copied as often at most
/// @source the order of ranks and places is that of Stoica et al., "Chord", SIGCOMM 2001
template <class F, Rounds R>
std::vector<std::byte> route_parcels(const F& forest, Parcels<RouteLabel> parcels, R& rounds) {
  for (int k = std::bit_width(static_cast<unsigned>(forest.n_ranks - 1)); k-- > 0;) {
    const std::vector<std::byte> moving =
        parcels.take([&](const RouteLabel& label) { return !is_within(forest, label.to, k); });
    parcels.append(rounds.shift(std::span<const std::byte>(moving), std::int64_t{1} << k));
  }
  return parcels.by_source();  // those with one source have travelled together, in order
}

/// Send messages to keepers of places where there is no table; returns what arrived, as a round
/// does (messages.hpp). Collective. See route_parcels.
template <class F, class T, Rounds R>
Messages<T> route(const F& forest, const Addressed<Address, T>& out, R& rounds) {
  struct Parcel {
    RouteLabel label;
    T value;
  };
  std::vector<Parcel> parcels;
  parcels.reserve(out.size());
  for (const auto& [to, value] : out) parcels.push_back({{to, forest.rank}, value});
  const std::vector<std::byte> bytes = route_parcels(
      forest, {std::as_bytes(std::span<const Parcel>(parcels)), sizeof(Parcel)}, rounds);
  Messages<T> arrived;
  arrived.reserve(bytes.size() / sizeof(Parcel));
  for (const Parcel& p : values_of<Parcel>(bytes)) arrived.emplace_back(p.label.from, p.value);
  return arrived;
}

/// A round of messages to keepers of a forest's places, by table or routed. Collective.
/// @param send  what goes out, as a template: send.operator()<Rank>() or <Address>()
template <class F, Rounds R, class Send>
auto to_keepers(const F& forest, R& rounds, Send&& send) {
  if (forest.directory == Directory::table)
    return rounds.exchange(send.template operator()<Rank>());
  return route(forest, send.template operator()<Address>(), rounds);
}

}  // namespace thalweg::mesh
