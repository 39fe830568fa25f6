// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/comm/detail/self_mail.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// The transport of a program with one rank, without MPI: messages go to the rank itself.
///
/// @errors posts throw RankError where a message has another size than its receive
class AloneTransport final : public flow::Transport {
 public:
  AloneTransport() : Transport(Rank{0}, 1) {}

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  void poll(std::vector<flow::Ticket>& completed) override;
  /// Say why on stderr, and end the process with exit code 3.
  [[noreturn]] void abort(std::string_view message) override;

 private:
  detail::SelfMail self_;
};

}  // namespace thalweg::comm
