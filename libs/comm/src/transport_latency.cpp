// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_latency.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::comm {
namespace {

using TimeState = std::int64_t;  // [ns] of the common clock, behind the bytes of a message

std::int64_t checked_ns(double latency_us) {
  // Written so that what is not a number is refused too.
  if (latency_us >= 0 && latency_us <= LatencyTransport::most_us)
    return std::llround(1e3 * latency_us);
  throw Error("latency_us = " + std::to_string(latency_us) +
              " (a message is held back for 0 to 1000000 us); give a number from there");
}

}  // namespace

LatencyTransport::LatencyTransport(flow::Transport& network, const Clock& clock, double latency_us)
    : Transport(network.rank(), network.n_ranks()),
      network_(network),
      clock_(clock),
      latency_ns_(checked_ns(latency_us)) {}

void LatencyTransport::post_send(std::span<const std::byte> bytes, Rank to, flow::Channel channel,
                                 flow::Tag tag, flow::Ticket ticket) {
  const flow::Ticket own = take(ticket);
  if (to == rank()) return network_.post_send(bytes, to, channel, tag, own);
  std::vector<std::byte>& buffer = operations_[own].buffer;
  buffer.resize(bytes.size() + sizeof(TimeState));
  const TimeState now_ns = clock_.now_ns();
  std::ranges::copy(bytes, buffer.begin());
  std::memcpy(buffer.data() + bytes.size(), &now_ns, sizeof now_ns);
  network_.post_send(buffer, to, channel, tag, own);
}

void LatencyTransport::post_recv(std::span<std::byte> bytes, Rank from, flow::Channel channel,
                                 flow::Tag tag, flow::Ticket ticket) {
  const flow::Ticket own = take(ticket);
  if (from == rank()) return network_.post_recv(bytes, from, channel, tag, own);
  Operation& operation = operations_[own];
  operation.is_held = true;
  operation.target = bytes;
  operation.buffer.resize(bytes.size() + sizeof(TimeState));
  network_.post_recv(operation.buffer, from, channel, tag, own);
}

void LatencyTransport::poll(std::vector<flow::Ticket>& completed) {
  seen_.clear();
  network_.poll(seen_);
  for (const flow::Ticket own : seen_) {
    if (operations_[own].is_held)
      hold(own);
    else
      release(own, completed);
  }
  if (held_.empty()) return;
  const std::int64_t now_ns = clock_.now_ns();
  while (!held_.empty() && held_.front().due_ns <= now_ns) {
    std::ranges::pop_heap(held_, is_later);
    const flow::Ticket own = held_.back().operation;
    held_.pop_back();
    const Operation& operation = operations_[own];
    std::copy_n(operation.buffer.begin(), operation.target.size(), operation.target.begin());
    release(own, completed);
  }
}

void LatencyTransport::abort(std::string_view message) {
  network_.abort(message);
  std::terminate();  // not reached, but GCC does not believe a virtual function
}

bool LatencyTransport::is_later(const Arrival& a, const Arrival& b) {
  return a.due_ns != b.due_ns ? a.due_ns > b.due_ns : a.number > b.number;
}

flow::Ticket LatencyTransport::take(flow::Ticket ticket) {
  if (free_.empty()) {
    free_.push_back(static_cast<flow::Ticket>(operations_.size()));
    operations_.emplace_back();
  }
  const flow::Ticket own = free_.back();
  free_.pop_back();
  operations_[own].ticket = ticket;
  operations_[own].is_held = false;
  return own;
}

void LatencyTransport::hold(flow::Ticket operation) {
  const Operation& arrived = operations_[operation];
  TimeState sent_ns = 0;
  std::memcpy(&sent_ns, arrived.buffer.data() + arrived.target.size(), sizeof sent_ns);
  held_.push_back({sent_ns + latency_ns_, n_arrived_++, operation});
  std::ranges::push_heap(held_, is_later);
}

void LatencyTransport::release(flow::Ticket operation, std::vector<flow::Ticket>& completed) {
  completed.push_back(operations_[operation].ticket);
  free_.push_back(operation);
}

std::unique_ptr<LatencyTransport> with_latency(flow::Transport& network, const Clock& clock,
                                               double latency_us) {
  if (latency_us == 0) return nullptr;
  auto slow = std::make_unique<LatencyTransport>(network, clock, latency_us);
  const flow::ComputeNode* node = network.compute_node();
  if (network.n_ranks() > 1 && (node == nullptr || node->firsts().size() > 1))
    throw Error(
        "latency_us = " + std::to_string(latency_us) +
        " on ranks that do not share a compute node (a message is timed by the clock of both "
        "its ends); use 0 there");
  return slow;
}

}  // namespace thalweg::comm
