// SPDX-License-Identifier: MIT
#include <thalweg/flow/collective.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>

#include "watchdog.hpp"

namespace thalweg::flow {
namespace {

using detail::HostCall;

std::string_view name_of(HostCall call) {
  using enum HostCall;
  switch (call) {
    case all_gather:
      return "an all_gather";
    case all_gather_v:
      return "an all_gather_v";
    case all_reduce:
      return "an all_reduce or a barrier";
    case exclusive_scan:
      return "an exclusive_scan";
    case ring_shift:
      return "a ring_shift";
    default:
      return "an exchange_sparse";
  }
}

void give_up(Transport& transport, HostCall call, Rank from, Rank to) {
  transport.let_others_speak();
  transport.abort("nothing has come for " + seconds_text(transport.watchdog_s()) + " s from rank " +
                  std::to_string(transport.name_of(from)()) + ", or gone to rank " +
                  std::to_string(transport.name_of(to)()) + ", in " + std::string(name_of(call)) +
                  " between graphs (the watchdog's limit, in a deck run.watchdog; that rank has "
                  "not come to this call, is in another one, or is still busy, as with a slow file "
                  "system); make the same calls in the same order on all ranks, or raise "
                  "run.watchdog");
}

/// Poll until so many operations with two ranks are complete; leaves the core to others after a
/// while.
void wait_for(Transport& transport, HostCall call, std::size_t n_operations, Rank from, Rank to) {
  constexpr int n_spins = 32;  // a few microseconds, as the executor's workers
  std::vector<Ticket> completed;
  for (int i = 0; i < n_spins && completed.size() < n_operations; ++i) transport.poll(completed);
  const SteadyClock clock;
  Watchdog watchdog(transport.watchdog_s());
  while (completed.size() < n_operations) {
    transport.poll(completed);
    transport.yield();
    if (watchdog.is_on() && watchdog.look(clock.now_ns(), completed.size()))
      give_up(transport, call, from, to);
  }
}

/// Call post(piece) for all pieces of a message. @return how many: none of an empty one
template <class Byte, class Post>
std::size_t post_pieces(std::span<Byte> bytes, std::size_t piece_bytes, Post post) {
  std::size_t n = 0;
  for (; !bytes.empty(); ++n) {
    const auto piece = bytes.first(std::min(piece_bytes, bytes.size()));
    post(piece);
    bytes = bytes.subspan(piece.size());
  }
  return n;
}

}  // namespace

namespace detail {

// One tag a kind of call is enough: what goes between two ranks keeps its order, and both know it.
void send_and_receive(Transport& transport, HostCall call, std::span<const std::byte> sent, Rank to,
                      std::span<std::byte> received, Rank from, std::size_t piece_bytes) {
  const Transport::InUse in_use(transport, name_of(call));
  const Tag tag(std::to_underlying(call));
  // Both ends know the size, and so the pieces.
  std::size_t n_posted = post_pieces(received, piece_bytes, [&](std::span<std::byte> piece) {
    transport.post_recv(piece, from, Channel::host, tag, 0);
  });
  n_posted += post_pieces(sent, piece_bytes, [&](std::span<const std::byte> piece) {
    transport.post_send(piece, to, Channel::host, tag, 1);
  });
  wait_for(transport, call, n_posted, from, to);
}

void exchange(Transport& transport, const ReductionRound& round, std::span<const std::byte> sent,
              std::span<std::byte> received) {
  const bool receives = round.incoming != Incoming::none;
  send_and_receive(transport, HostCall::all_reduce, round.sends ? sent : sent.first(0),
                   round.partner, receives ? received : received.first(0), round.partner);
}

std::vector<std::byte> send_and_receive_unsized(Transport& transport, HostCall call,
                                                std::span<const std::byte> sent, Rank to,
                                                Rank from) {
  const std::uint64_t n_sent = sent.size();
  std::uint64_t n_received = 0;
  send_and_receive(transport, call, std::as_bytes(std::span(&n_sent, 1)), to,
                   std::as_writable_bytes(std::span(&n_received, 1)), from);
  std::vector<std::byte> received(n_received);
  send_and_receive(transport, call, sent, to, received, from);
  return received;
}

std::vector<std::byte> all_gather_bytes(Transport& transport, std::span<const std::byte> mine,
                                        HostCall call) {
  const std::vector<std::size_t> n_bytes(static_cast<std::size_t>(transport.n_ranks()),
                                         mine.size());
  return all_gather_bytes_v(transport, mine, n_bytes, call);
}

std::vector<std::byte> all_gather_bytes_v(Transport& transport, std::span<const std::byte> mine,
                                          std::span<const std::size_t> n_bytes, HostCall call) {
  const std::size_t n = n_bytes.size();
  const std::size_t here = transport.rank()();
  // Blocks of ranks here, here + 1, ... (mod n) one after another; where each begins.
  std::vector<std::size_t> begin(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) begin[i + 1] = begin[i] + n_bytes[(here + i) % n];
  std::vector<std::byte> rotated(begin[n]);
  std::copy(mine.begin(), mine.end(), rotated.begin());
  for (std::size_t have = 1; have < n; have *= 2) {
    const std::size_t n_blocks = std::min(have, n - have);
    const auto received =
        std::span(rotated).subspan(begin[have], begin[have + n_blocks] - begin[have]);
    send_and_receive(transport, call, std::span(rotated).first(begin[n_blocks]),
                     Rank((here + n - have) % n), received, Rank((here + have) % n));
  }
  std::rotate(rotated.begin(), rotated.begin() + static_cast<std::ptrdiff_t>(begin[(n - here) % n]),
              rotated.end());
  return rotated;
}

void refuse_receiver(const Transport& transport, Rank to) {
  throw RankError("rank " + std::to_string(transport.rank()()) + " sends a value to rank " +
                  std::to_string(to()) + " in an exchange_sparse (there are ranks 0 to " +
                  std::to_string(transport.n_ranks() - 1) + "); name one of them");
}

std::vector<std::byte> route_packets(Transport& transport, std::span<const std::byte> packets,
                                     std::size_t packet_bytes) {
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());
  const std::uint32_t here = transport.rank()();
  RoutedBuffer<Envelope> held(packets, packet_bytes);
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    const auto moving = held.take(
        [&](const Envelope& label) { return ((label.to() + n - here) % n & distance) != 0; });
    held.append(send_and_receive_unsized(transport, HostCall::exchange_sparse, moving,
                                         Rank((here + distance) % n),
                                         Rank((here + n - distance) % n)));
  }
  return held.by_source();  // those with one source have travelled together, in order
}

}  // namespace detail

ExactSum all_reduce(Transport& transport, const ExactSum& mine) {
  using Limbs = std::array<std::int64_t, ExactSum::n_limbs>;
  // Limbs are integers below 2^32 with their carries done, so sums of 2^31 ranks are exact.
  return ExactSum::from_limbs(all_reduce(transport, mine.limbs(), [](Limbs a, const Limbs& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }));
}

void barrier(Transport& transport) {
  all_reduce(transport, std::byte{}, std::bit_and<>());
}

}  // namespace thalweg::flow
