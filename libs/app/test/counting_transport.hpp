// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/flow/transport.hpp>

namespace thalweg::app::testing {

/// Passes all on to another transport, and counts the messages that it sends: of two ranks each
/// sends one in a collective of values of one size; and the bytes that it receives.
class CountingTransport final : public flow::Transport {
 public:
  /// @param to  outlives this
  explicit CountingTransport(flow::Transport& to) : Transport(to.rank(), to.n_ranks()), to_(to) {}

  int n_sent() const { return n_sent_; }
  std::size_t n_received_bytes() const { return n_received_bytes_; }

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    ++n_sent_;
    to_.post_send(bytes, to, channel, tag, ticket);
  }
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override {
    n_received_bytes_ += bytes.size();
    to_.post_recv(bytes, from, channel, tag, ticket);
  }
  void poll(std::vector<flow::Ticket>& completed) override { to_.poll(completed); }
  void abort(std::string_view message) override { to_.abort(message); }

 private:
  flow::Transport& to_;
  int n_sent_ = 0;
  std::size_t n_received_bytes_ = 0;
};

}  // namespace thalweg::app::testing
