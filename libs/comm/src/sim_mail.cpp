// SPDX-License-Identifier: MIT
#include "sim_mail.hpp"

#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/hash.hpp>

namespace thalweg::comm {
namespace {

std::string name_of(flow::Channel channel) {
  switch (channel) {
    case flow::Channel::graph:
      return "graph";
    case flow::Channel::host:
      return "host";
    default:
      return "task";
  }
}

}  // namespace

std::size_t SimMail::HashOfStream::operator()(const Stream& s) const {
  const std::uint64_t ends = std::uint64_t{s.from()} << 32 | s.to();
  const auto channel = static_cast<std::uint64_t>(s.channel);
  return hash_number(ends, channel << 32 | s.tag());
}

SimMail::SimMail(int n_ranks, std::uint64_t seed, std::uint32_t max_delay)
    : random_(seed), max_delay_(max_delay), ranks_(static_cast<std::size_t>(n_ranks)) {}

void SimMail::post_send(Rank from, Rank to, flow::Channel channel, flow::Tag tag,
                        std::span<const std::byte> bytes, flow::Ticket ticket) {
  THALWEG_EXPECT(to() < ranks_.size(), "no such rank");
  const bool is_eager = random_.below(2) == 0;
  const OperationId id = add({.ticket = ticket,
                              .rank = from,
                              .peer = to,
                              .channel = channel,
                              .tag = tag,
                              .is_send = true,
                              .is_eager = is_eager,
                              .source = bytes});
  const std::uint64_t leaves = now_ + delay();
  if (is_eager) schedule(id, leaves, false);
  schedule(id, leaves + delay(), true);
  match(id, from, to);
}

void SimMail::post_recv(Rank from, Rank to, flow::Channel channel, flow::Tag tag,
                        std::span<std::byte> bytes, flow::Ticket ticket) {
  THALWEG_EXPECT(from() < ranks_.size(), "no such rank");
  const OperationId id = add({.ticket = ticket,
                              .rank = to,
                              .peer = from,
                              .channel = channel,
                              .tag = tag,
                              .target = bytes});
  match(id, from, to);
}

void SimMail::tick() {
  ++now_;
  while (!events_.empty() && events_.top().due <= now_) {
    const Event event = events_.top();
    events_.pop();
    last_event_ = now_;
    Operation& send = operations_[event.operation];
    if (event.is_arrival) {
      send.is_arrived = true;
      if (send.mate) deliver(event.operation);
    } else {
      // Only now: a program that writes to the buffer before it was told so spoils the message.
      send.buffer.assign(send.source.begin(), send.source.end());
      send.is_buffered = true;
      complete(send);
    }
  }
}

void SimMail::collect(Rank rank, std::vector<flow::Ticket>& completed) {
  auto& own = ranks_[rank()].completed;
  completed.insert(completed.end(), own.begin(), own.end());
  own.clear();
}

std::vector<std::string> SimMail::unmatched() const {
  constexpr std::size_t n_named = 4;
  std::vector<std::string> texts(ranks_.size());
  std::vector<std::size_t> n_found(ranks_.size(), 0);
  for (const Operation& o : operations_) {
    if (!o.is_live || o.mate) continue;
    const std::size_t n = n_found[o.rank()]++;
    if (n < n_named) texts[o.rank()] += (n == 0 ? "" : ", ") + describe(o);
  }
  for (std::size_t r = 0; r < texts.size(); ++r)
    if (n_found[r] > n_named) texts[r] += " and " + std::to_string(n_found[r] - n_named) + " more";
  return texts;
}

SimMail::OperationId SimMail::add(Operation operation) {
  last_event_ = now_;
  ++ranks_[operation.rank()].n_outstanding;
  operation.is_live = true;
  if (free_.empty()) {
    operations_.emplace_back();
    free_.push_back(operations_.size() - 1);
  }
  const OperationId id = free_.back();
  free_.pop_back();
  operations_[id] = std::move(operation);
  return id;
}

void SimMail::match(OperationId id, Rank from, Rank to) {
  const Operation& o = operations_[id];
  const auto at = waiting_.try_emplace({from, to, o.tag, o.channel}).first;
  std::vector<OperationId>& waiting = at->second;
  if (waiting.empty() || operations_[waiting.front()].is_send == o.is_send) {
    waiting.push_back(id);
    return;
  }
  const OperationId mate = waiting.front();
  waiting.erase(waiting.begin());
  if (waiting.empty()) waiting_.erase(at);
  operations_[id].mate = mate;
  operations_[mate].mate = id;
  const OperationId send = o.is_send ? id : mate;
  if (operations_[send].is_arrived) deliver(send);
}

void SimMail::schedule(OperationId id, std::uint64_t due, bool is_arrival) {
  events_.push({due, n_events_++, id, is_arrival});
}

void SimMail::deliver(OperationId send_id) {
  Operation& send = operations_[send_id];
  const OperationId recv_id = *send.mate;
  Operation& recv = operations_[recv_id];
  const std::span<const std::byte> bytes = send.is_buffered ? send.buffer : send.source;
  if (bytes.size() != recv.target.size())
    throw RankError(describe(send) + " meets " + describe(recv) +
                    " (the two ranks have recorded different messages, or are in different "
                    "collective calls); make the same ones in the same order on all ranks");
  std::copy(bytes.begin(), bytes.end(), recv.target.begin());
  complete(recv);
  if (!send.is_eager) complete(send);
  send.is_live = recv.is_live = false;
  free_.push_back(send_id);
  free_.push_back(recv_id);
}

void SimMail::complete(const Operation& operation) {
  last_event_ = now_;
  RankState& rank = ranks_[operation.rank()];
  --rank.n_outstanding;
  rank.completed.push_back(operation.ticket);
}

std::uint64_t SimMail::delay() {
  // A heavy tail: now and then everything else overtakes a message.
  const std::uint64_t longest = random_.below(16) == 0 ? 16 * max_delay_ : max_delay_;
  return random_.below(longest + 1);
}

std::string SimMail::describe(const Operation& o) {
  return "rank " + std::to_string(o.rank()) +
         (o.is_send ? " sending to rank " : " receiving from rank ") + std::to_string(o.peer()) +
         " (channel " + name_of(o.channel) + ", tag " + std::to_string(o.tag()) + ", " +
         std::to_string(o.is_send ? o.source.size() : o.target.size()) + " bytes)";
}

}  // namespace thalweg::comm
