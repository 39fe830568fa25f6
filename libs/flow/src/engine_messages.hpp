// SPDX-License-Identifier: MIT
// The part of engine.cpp about messages: who posts and polls, and what becomes of what completes.
#pragma once
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/core/exception_words.hpp>

#include "engine.hpp"
#include "engine_external.hpp"
#include "engine_loop.hpp"

namespace thalweg::flow {

template <bool shared>
bool Engine<shared>::may_communicate(const W& worker) const {
  return !has_communication_thread_ && (!one_communicates_ || worker.index == 0);
}

template <bool shared>
void Engine<shared>::call_communicator() {
  if (has_communication_thread_)
    communication_parker_.unpark();
  else
    call(workers_[0]);
}

/// Post what is ready before a task begins, as somebody may be waiting for it; poll, if that is to
/// be done after each task.
template <bool shared>
void Engine<shared>::progress_early(W& worker) {
  const bool polls = config_.progress == Progress::task_boundary;
  if (polls || has_messages_to_post()) progress(worker, polls);
}

template <bool shared>
bool Engine<shared>::progress(W& worker, bool polls) {
  if (!may_communicate(worker)) return false;
  if (!has_messages_to_post() && (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0))
    return false;
  if (!communicate(worker.tickets, polls)) {
    // Who is inside may have missed what we have to post: look again after the next task.
    worker.is_wanted.store(true, std::memory_order_relaxed);
    return false;
  }
  if (worker.tickets.empty()) return false;
  const std::int64_t now_ns = sink_ != nullptr ? worker.state.account.now_ns() : 0;
  for (const Ticket ticket : worker.tickets) {
    if (sink_ != nullptr && has_message(ticket)) record_message(worker, ticket, now_ns);
    finish_anywhere(worker, ticket);
  }
  return true;
}

template <bool shared>
void Engine<shared>::communicate_until_done() {
  std::vector<Ticket> tickets;
  tickets.reserve(graph_->n_messages() * depth_);
  for (std::uint32_t n_rounds = 1; !is_done_.load(std::memory_order_acquire); ++n_rounds) {
    serving_.begin();
    communicate(tickets, true);
    const std::int64_t now_ns = sink_ != nullptr ? clock_.now_ns() : 0;
    for (const Ticket ticket : tickets) {
      if (sink_ != nullptr) done_ns_[ticket] = now_ns;
      return_to_owner(ticket);
    }
    serving_.end();
    if (!tickets.empty()) n_rounds = 0;
    if (n_rounds % n_rounds_to_look == 0) watch();
    if (n_rounds < n_spins) continue;
    if (has_messages_to_post() || n_in_flight_.load(std::memory_order_relaxed) != 0)
      std::this_thread::yield();
    else
      workers_[0].state.account.count_park(communication_parker_.park(
          [&] { return is_done_.load(std::memory_order_seq_cst) || has_messages_to_post(); },
          park_limit_));
  }
}

/// Post, and poll if asked to; get the items that are over. @return whether nobody else was inside
template <bool shared>
bool Engine<shared>::communicate(std::vector<Ticket>& tickets, bool polls) {
  // One thread inside the transport at a time; who comes second has better things to do than wait.
  tickets.clear();
  if constexpr (shared)
    if (!transport_lock_.try_lock()) return false;
  try {
    post_and_poll(tickets, polls);
  } catch (const RunEnded&) {
    throw;
  } catch (const std::exception& e) {
    fail_communication(tickets, words_of(e));
  } catch (...) {
    fail_communication(tickets, "something was thrown that is not a std::exception");
  }
  if constexpr (shared) transport_lock_.unlock();
  return true;
}

template <bool shared>
void Engine<shared>::fail_communication(std::vector<Ticket>& tickets, const std::string& why) {
  fail("communication failed on rank " + std::to_string(transport_.rank()()) + ": " + why);
  tickets.clear();
}

template <bool shared>
void Engine<shared>::post_and_poll(std::vector<Ticket>& tickets, bool polls) {
  const std::int64_t now_ns = sink_ != nullptr ? clock_.now_ns() : 0;
  // Receives first: a message that finds its receive posted is not copied aside.
  post(to_receive_.take_all(), now_ns);
  post(to_send_.take_all(), now_ns);
  begin_external();
  if (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0) return;
  transport_.poll(tickets);
  std::size_t n = 0;
  for (const Ticket ticket : tickets)
    if ((ticket & external_bit) == 0) {
      is_in_flight_[ticket] = 0;
      ++n;
    }
  if (n != 0) count_done(n);
  poll_external(tickets);
}

template <bool shared>
void Engine<shared>::count_done(std::size_t n) {
  n_messages_done_.store(n_messages_done_.load(std::memory_order_relaxed) + n,
                         std::memory_order_relaxed);
  count_in_flight(-static_cast<std::int64_t>(n));
}

template <bool shared>
void Engine<shared>::count_in_flight(std::int64_t n) {
  // Only the holder of the transport writes it: no read-modify-write needed. Release: BusyCount.
  n_in_flight_.store(n_in_flight_.load(std::memory_order_relaxed) + n, std::memory_order_release);
}

template <bool shared>
void Engine<shared>::post(Item first, std::int64_t now_ns) {
  for (Item item = first; item != no_item; item = links_[item]) {
    const Node& node = graph_->node(node_of(item));
    const Message& m = graph_->message(node.message);
    if (sink_ != nullptr) posted_ns_[item] = now_ns;
    count_in_flight(1);
    is_in_flight_[item] = 1;
    if (config_.posting == Posting::persistent)
      transport_.start(prepared(item, node.kind, m), item);
    else if (node.kind == NodeKind::recv)
      transport_.post_recv({m.target, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
    else
      transport_.post_send({m.source, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
  }
}

template <bool shared>
PreparedId Engine<shared>::prepared(Item item, NodeKind kind, const Message& m) {
  // One an item, not one a node: a datum that nobody writes may be sent by two replays at once.
  std::optional<PreparedId>& id = prepared_[item];
  if (!id)
    id = kind == NodeKind::recv
             ? transport_.prepare_recv({m.target, m.n_bytes}, m.peer, Channel::graph, m.tag)
             : transport_.prepare_send({m.source, m.n_bytes}, m.peer, Channel::graph, m.tag);
  return *id;
}

template <bool shared>
void Engine<shared>::forget_prepared() {
  for (const std::optional<PreparedId>& id : prepared_)
    if (id) transport_.forget(*id);
  prepared_.clear();
}

template <bool shared>
void Engine<shared>::record_task(const W& worker, Item item, std::int64_t start_ns,
                                 std::int64_t end_ns) {
  sink_->record({.start_ns = start_ns,
                 .end_ns = end_ns,
                 .replay = replay_of(item),
                 .node = node_of(item)(),
                 .worker = static_cast<std::uint16_t>(worker.index),
                 .kind = trace::EventKind::task});
}

template <bool shared>
void Engine<shared>::record_message(const W& worker, Item item, std::int64_t end_ns) {
  const bool is_send = program_.kind(code_.node(item)) == ExecKind::send;
  sink_->record({.start_ns = posted_ns_[item],
                 .end_ns = end_ns,
                 .replay = replay_of(item),
                 .node = node_of(item)(),
                 .worker = static_cast<std::uint16_t>(worker.index),
                 .kind = is_send ? trace::EventKind::send : trace::EventKind::recv});
}

}  // namespace thalweg::flow
