// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <thalweg/flow/transport.hpp>

namespace thalweg::comm::detail {

/// The messages of a rank to itself, without MPI.
///
/// Open MPI 4.1 cuts a message to oneself that is longer than its receive and reports success.
/// Storage of streams is kept, so that a program that repeats itself does not allocate.
class SelfMail {
 public:
  /// @errors the posts throw RankError where a message has another size than its receive
  void post_send(std::span<const std::byte> bytes, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket);
  void post_recv(std::span<std::byte> bytes, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket);
  /// Move the tickets of what is complete to the end of a list.
  void collect(std::vector<flow::Ticket>& completed);

 private:
  struct Send {
    std::span<const std::byte> bytes;
    flow::Ticket ticket;
  };
  struct Recv {
    std::span<std::byte> bytes;
    flow::Ticket ticket;
  };
  /// In order of posting; one of the two is empty.
  struct Stream {
    std::vector<Send> sends;
    std::vector<Recv> recvs;
  };

  Stream& stream(flow::Channel channel, flow::Tag tag);
  void match(Stream& stream, flow::Tag tag);

  std::unordered_map<std::uint64_t, Stream> streams_;
  std::vector<flow::Ticket> completed_;
};

}  // namespace thalweg::comm::detail
