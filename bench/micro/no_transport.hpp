// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/flow/transport.hpp>

namespace thalweg::bench {

/// One rank that has nobody to talk to.
class NoTransport final : public flow::Transport {
 public:
  NoTransport() : Transport(Rank(0), 1) {}

  void post_send(std::span<const std::byte>, Rank, flow::Channel, flow::Tag,
                 flow::Ticket) override {
    abort("a message to nobody");
  }
  void post_recv(std::span<std::byte>, Rank, flow::Channel, flow::Tag, flow::Ticket) override {
    abort("a message from nobody");
  }
  void poll(std::vector<flow::Ticket>&) override {}
  [[noreturn]] void abort(std::string_view message) override {
    throw std::runtime_error(std::string(message));
  }
};

}  // namespace thalweg::bench
