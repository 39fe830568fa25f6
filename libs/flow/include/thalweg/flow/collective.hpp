// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/exact_sum.hpp>
#include <thalweg/core/routed_buffer.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/detail/recursive_doubling.hpp>
#include <thalweg/flow/sendable.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {

/// The values of all ranks, one rank after another.
template <class T>
struct Gathered {
  std::vector<T> values;
  std::vector<std::size_t> begin;  ///< rank r has values[begin[r]] .. values[begin[r + 1]]

  std::span<const T> of(Rank rank) const {
    return std::span(values).subspan(begin[rank()], begin[rank() + 1] - begin[rank()]);
  }
};

namespace detail {

/// The tag of the messages of each kind of call: ranks that are in different ones wait for each
/// other, where they would take each other's bytes for their own.
enum class HostCall : std::uint32_t {
  all_gather,
  all_gather_v,
  all_reduce,
  exclusive_scan,
  ring_shift,
  exchange_sparse,
};

/// What goes in one message; MPI counts to twice as many.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// Send bytes to one rank while receiving from another; returns when both are done.
/// @param piece_bytes  more than that goes in several messages
void send_and_receive(Transport& transport, HostCall call, std::span<const std::byte> sent, Rank to,
                      std::span<std::byte> received, Rank from,
                      std::size_t piece_bytes = largest_piece);
/// What one rank sends and receives in a round of an all_reduce; returns when both are done.
void exchange(Transport& transport, const ReductionRound& round, std::span<const std::byte> sent,
              std::span<std::byte> received);
/// As send_and_receive() where the receiver does not know the size: sends it ahead.
std::vector<std::byte> send_and_receive_unsized(Transport& transport, HostCall call,
                                                std::span<const std::byte> sent, Rank to,
                                                Rank from);
/// Gather n bytes of each rank on every rank, in rank order.
/// @source Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8 (1997) 1143
std::vector<std::byte> all_gather_bytes(Transport& transport, std::span<const std::byte> mine,
                                        HostCall call = HostCall::all_gather);
/// Gather bytes of each rank, n_bytes[r] of rank r, on every rank, in rank order.
std::vector<std::byte> all_gather_bytes_v(Transport& transport, std::span<const std::byte> mine,
                                          std::span<const std::size_t> n_bytes,
                                          HostCall call = HostCall::all_gather_v);

/// Whom a packet is from and to; its value follows.
struct Envelope {
  Rank from;
  Rank to;
};
/// @errors throws RankError: there is no rank that a value is sent to
[[noreturn]] void refuse_receiver(const Transport& transport, Rank to);
/// Bring packets of so many bytes each, which begin with an Envelope, to their ranks; those that
/// came here, by source, then in the order of sending.
std::vector<std::byte> route_packets(Transport& transport, std::span<const std::byte> packets,
                                     std::size_t packet_bytes);

template <Sendable T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace detail

// The functions below are called by all ranks in the same order, and not while a graph with
// messages runs. They wait by polling, and abort() after the transport's watchdog_s(): so it ends
// where ranks are in different ones. Their messages go over Channel::host.
// @errors what the transport throws, and Error where that is in use

/// The values of all ranks, by rank. @cost log P messages
template <Sendable T>
std::vector<T> all_gather(Transport& transport, const T& mine) {
  return values_of<T>(detail::all_gather_bytes(transport, detail::bytes_of(mine)));
}

/// The values of all ranks where each may have another number of them. @cost 2 log P messages
template <Sendable T>
Gathered<T> all_gather_v(Transport& transport, std::span<const T> mine) {
  const std::vector<std::size_t> n_bytes = values_of<std::size_t>(detail::all_gather_bytes(
      transport, detail::bytes_of(mine.size_bytes()), detail::HostCall::all_gather_v));
  Gathered<T> all{values_of<T>(detail::all_gather_bytes_v(transport, std::as_bytes(mine), n_bytes)),
                  {0}};
  for (const std::size_t n : n_bytes) all.begin.push_back(all.begin.back() + n / sizeof(T));
  return all;
}

/// Combine the values of all ranks in rank order: the same bits on every rank, whatever the
/// operation. Where that rounds, another number of ranks may give other bits.
/// @cost detail::recursive_doubling's: log P rounds, memory of a few values
template <Sendable T, class Op>
T all_reduce(Transport& transport, const T& mine, Op op) {
  T total = mine;
  for (const detail::ReductionRound& round : detail::recursive_doubling(
           transport.rank(), static_cast<std::uint32_t>(transport.n_ranks()))) {
    std::array<std::byte, sizeof(T)> theirs;
    detail::exchange(transport, round, detail::bytes_of(total), theirs);
    if (round.incoming == detail::Incoming::none) continue;
    const T incoming = std::bit_cast<T>(theirs);
    if (round.incoming == detail::Incoming::total)
      total = incoming;
    else
      total = transport.rank() < round.partner ? op(total, incoming) : op(incoming, total);
  }
  return total;
}

/// The value of rank 0, on all ranks. @cost all_reduce's
template <Sendable T>
T broadcast(Transport& transport, const T& mine) {
  return all_reduce(transport, mine, [](const T& first, const T&) { return first; });
}

/// Merge the exact sums of all ranks: the same on every rank, and on any number of them.
/// @cost all_reduce's
ExactSum all_reduce(Transport& transport, const ExactSum& mine);

/// Combine the values of all lower ranks. @pre op is exactly associative, as integer sums are
/// @cost log P messages, memory of a few values
/// @source Hillis and Steele, CACM 29 (1986) 1170
template <Sendable T, class Op>
T exclusive_scan(Transport& transport, const T& mine, Op op, T identity) {
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  T before = identity;  // of the `distance` - 1 ranks below, where so many exist
  T window = mine;      // of those and our own
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    std::array<std::byte, sizeof(T)> theirs;
    // Round the end too, so that everybody does the same; what comes round is dropped.
    detail::send_and_receive(transport, detail::HostCall::exclusive_scan, detail::bytes_of(window),
                             Rank((here + distance) % n), theirs, Rank((here + n - distance) % n));
    if (here < distance) continue;
    const T lower = std::bit_cast<T>(theirs);
    before = op(lower, before);
    window = op(lower, window);
  }
  return before;
}

/// Wait until all ranks have come here. @cost all_reduce's
void barrier(Transport& transport);

/// Send values to the rank so many above, and return what came from the one as many below; both
/// modulo P. A negative distance goes the other way. @cost 2 messages, the first of a number
template <Sendable T>
std::vector<T> ring_shift(Transport& transport, std::span<const T> mine, std::int64_t distance) {
  const std::int64_t n = transport.n_ranks();
  const std::int64_t here = transport.rank()();
  const auto rank_at = [&](std::int64_t rank) {
    return Rank(static_cast<std::uint32_t>((rank % n + n) % n));
  };
  return values_of<T>(
      detail::send_and_receive_unsized(transport, detail::HostCall::ring_shift, std::as_bytes(mine),
                                       rank_at(here + distance), rank_at(here - distance)));
}

/// Send values to ranks that do not expect them; returns what others sent here, and we ourselves.
///
/// Sorted by source, then in the order of sending. In stage k all that has bit k in its distance to
/// the destination, modulo P, moves 2^k ranks up: no rank talks to more than log P others.
/// @errors RankError where there is no such rank
/// @cost 2 log P messages, each value is copied log P times at most
/// @source Fox et al., "Solving Problems on Concurrent Processors", 1988, ch. 22 (crystal router)
template <Sendable T>
std::vector<std::pair<Rank, T>> exchange_sparse(Transport& transport,
                                                std::span<const std::pair<Rank, T>> out) {
  struct Packet {
    detail::Envelope label;
    T value;
  };
  std::vector<Packet> packets;
  packets.reserve(out.size());
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  for (const auto& [to, value] : out) {
    if (to() >= n) detail::refuse_receiver(transport, to);
    packets.push_back({{transport.rank(), to}, value});
  }
  const std::vector<std::byte> bytes = detail::route_packets(
      transport, std::as_bytes(std::span<const Packet>(packets)), sizeof(Packet));
  std::vector<std::pair<Rank, T>> arrived;
  arrived.reserve(bytes.size() / sizeof(Packet));
  for (const Packet& p : values_of<Packet>(bytes)) arrived.emplace_back(p.label.from, p.value);
  return arrived;
}

}  // namespace thalweg::flow
