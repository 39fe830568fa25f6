// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/routed_buffer.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// Whether a destination is less than 2^hop ranks above this one, modulo n_ranks.
/// @pre the forest has no table
template <int D>
bool is_within(const Forest<D>& forest, const Destination& to, int hop);
/// As above, of a leaf in which a place begins.
template <int D>
bool is_within(const LeafForest<D>& forest, const Destination& to, int hop);

/// Whom a message is to and from on its way.
struct Envelope {
  Destination to;
  Rank from;
};

/// Bring messages to the directory ranks of places where there is no table; those that came here.
/// Collective.
/// @tparam F  of forest, with is_within as above
///
/// What is as far or further than 2^k ranks above goes 2^k up, for each k from the largest down: so
/// it comes to the directory rank where nobody else need know who that is. In each round a rank
/// hears from one other.
/// @cost ceil(log2 n_ranks) rounds; each message is copied as often at most
/// @source the order of ranks and places is that of Stoica et al., "Chord", SIGCOMM 2001
template <class F, Collectives R>
std::vector<std::byte> route_packets(const F& forest, RoutedBuffer<Envelope> packets,
                                     R& collectives) {
  for (int k = std::bit_width(static_cast<unsigned>(forest.n_ranks - 1)); k-- > 0;) {
    const std::vector<std::byte> moving =
        packets.take([&](const Envelope& label) { return !is_within(forest, label.to, k); });
    packets.append(
        collectives.ring_shift(std::span<const std::byte>(moving), std::int64_t{1} << k));
  }
  return packets.by_source();  // those with one source have travelled together, in order
}

/// Send messages to the directory ranks of places where there is no table; returns what arrived, as
/// a round does (messages.hpp). Collective. See route_packets.
template <class F, class T, Collectives R>
Messages<T> route(const F& forest, const Outgoing<T>& out, R& collectives) {
  struct Packet {
    Envelope label;
    T value;
  };
  std::vector<Packet> packets;
  packets.reserve(out.size());
  for (const auto& [to, value] : out) packets.push_back({{to, forest.rank}, value});
  const std::vector<std::byte> bytes = route_packets(
      forest, {std::as_bytes(std::span<const Packet>(packets)), sizeof(Packet)}, collectives);
  Messages<T> arrived;
  arrived.reserve(bytes.size() / sizeof(Packet));
  for (const Packet& p : values_of<Packet>(bytes)) arrived.emplace_back(p.label.from, p.value);
  return arrived;
}

/// A round of messages to ranks and to the directory ranks of a forest's places. Collective.
template <class F, class T, Collectives R>
Messages<T> exchange_with_directory(const F& forest, R& collectives, const Outgoing<T>& out) {
  if (!forest.has_table()) return route(forest, out, collectives);
  Messages<T> direct;
  direct.reserve(out.size());
  for (const auto& [to, value] : out) direct.emplace_back(to.rank(), value);
  return collectives.exchange(direct);
}

}  // namespace thalweg::mesh
