// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <thalweg/core/clock.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::comm {

/// Another transport with a slower network, for studies of what hides latency.
///
/// A receive completes when its message has come and `latency_us` have passed since the send was
/// posted, by the clock of both ranks: a message carries that moment, 8 bytes that the sizes in
/// errors include. Sends complete as they do in the network. Messages to oneself, and requests that
/// a program makes without the transport, are not held back; prepared operations are posted afresh.
/// Nothing waits: a poll looks at the clock and returns.
class LatencyTransport final : public flow::Transport {
 public:
  static constexpr double most_us = 1e6;

  /// All ranks with the same latency: what one of them sends, the other must read.
  /// @param clock the same for all ranks, so they share a compute node or a simulation
  /// @errors Error where the latency is not a number from 0 to most_us [us]
  LatencyTransport(flow::Transport& network, const Clock& clock, double latency_us);

  void post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  void post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel, flow::Tag tag,
                 flow::Ticket ticket) override;
  flow::ComputeNode* compute_node() override { return network_.compute_node(); }
  void poll(std::vector<flow::Ticket>& completed) override;
  bool serves_one_thread() const override { return network_.serves_one_thread(); }
  void yield() override { network_.yield(); }
  void let_others_speak() override { network_.let_others_speak(); }
  [[noreturn]] void abort(std::string_view message) override;

 private:
  /// One operation in the network; its number there is the index in `operations_`.
  struct Operation {
    flow::Ticket ticket = 0;
    bool is_held = false;             ///< until its message is due
    std::span<std::byte> target{};    ///< of a receive that is held
    std::vector<std::byte> buffer{};  ///< the message and when it was sent; storage is kept
  };
  /// A message that has come.
  struct Arrival {
    std::int64_t due_ns;
    std::uint64_t number;  ///< those due at once complete in the order they came
    flow::Ticket operation;
  };
  static bool is_later(const Arrival& a, const Arrival& b);

  flow::Ticket take(flow::Ticket ticket);
  void hold(flow::Ticket operation);
  void release(flow::Ticket operation, std::vector<flow::Ticket>& completed);

  flow::Transport& network_;
  const Clock& clock_;
  std::int64_t latency_ns_;
  std::vector<Operation> operations_;
  std::vector<flow::Ticket> free_;
  std::vector<flow::Ticket> seen_;  ///< what one poll of the network brought
  std::vector<Arrival> held_;       ///< a heap, the next due first
  std::uint64_t n_arrived_ = 0;
};

/// What stands before a network where the setting latency_us is above 0; nothing where it is 0.
///
/// @errors Error where the latency is out of range, or the ranks do not share a compute node
std::unique_ptr<LatencyTransport> with_latency(flow::Transport& network, const Clock& clock,
                                               double latency_us);

}  // namespace thalweg::comm
