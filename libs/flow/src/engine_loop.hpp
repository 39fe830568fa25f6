// SPDX-License-Identifier: MIT
// The second part of engine.cpp: how workers look for something to do, communicate and rest.
#pragma once
#include <algorithm>
#include <thread>

#include "engine.hpp"

namespace thalweg::flow {

/// How often an idle worker looks at the clock, which costs as much as some rounds.
inline constexpr std::uint32_t n_rounds_to_look = 64;

template <bool shared>
void Engine<shared>::work(std::uint32_t index) {
  W& worker = workers_[index];
  if (config_.picker != nullptr) {
    work_picked(worker);
    return;
  }
  std::uint32_t n_rounds = 0;  // in which there was nothing to do
  worker.is_busy.store(true, std::memory_order_seq_cst);
  while (!is_done_.load(std::memory_order_acquire)) {
    const Item item = find(worker);
    if (item != no_item) {
      n_rounds = 0;
      execute(worker, item);
      if (config_.poll_every != 0 && ++worker.n_since_poll >= config_.poll_every) {
        worker.n_since_poll = 0;
        progress(worker, true);
      }
      continue;
    }
    // Release: who sees that the task is over sees it counted.
    worker.running.store(no_item, std::memory_order_release);
    worker.seat.account.enter(Activity::idle);
    if (progress(worker, true)) {
      n_rounds = 0;
      worker.seat.account.enter(Activity::overhead);
      continue;
    }
    worker.is_busy.store(false, std::memory_order_seq_cst);
    rest(worker, ++n_rounds);
    worker.is_busy.store(true, std::memory_order_seq_cst);
  }
  worker.running.store(no_item, std::memory_order_release);
  worker.is_busy.store(false, std::memory_order_seq_cst);
}

template <bool shared>
void Engine<shared>::work_picked(W& worker) {
  std::uint32_t n_rounds = 0;  // in which there was nothing to do
  while (!is_done_.load(std::memory_order_relaxed)) {
    const bool has_moved = progress(worker, true);
    if (ready_.empty()) {
      if (has_moved || is_done_.load(std::memory_order_relaxed)) continue;
      worker.running.store(no_item, std::memory_order_relaxed);
      worker.seat.account.enter(Activity::idle);
      if (looks_stuck())
        fail(lost_message());
      else if (++n_rounds % n_rounds_to_look == 0)
        watch();
      continue;
    }
    const std::size_t chosen = config_.picker->pick(ready_ids_);
    THALWEG_EXPECT(chosen < ready_.size(), "the picker chose something that is not there");
    const Item item = ready_[chosen];
    ready_[chosen] = ready_.back();
    ready_ids_[chosen] = ready_ids_.back();
    ready_.pop_back();
    ready_ids_.pop_back();
    execute(worker, item);
  }
}

template <bool shared>
Item Engine<shared>::find(W& worker) {
  // Early posting: somebody may be waiting for the message.
  if (!to_receive_.is_empty() || !to_send_.is_empty()) progress(worker, false);
  if (const Item item = worker.urgent.pop(links_); item != no_item) return item;
  if (worker.next != no_item) return std::exchange(worker.next, no_item);
  if (const Item item = worker.normal.pop(links_); item != no_item) return item;
  if constexpr (shared) return steal(worker);
  return no_item;
}

template <bool shared>
Item Engine<shared>::steal(W& worker) {
  const std::size_t n = workers_.size();
  const std::size_t first = worker.random.below(n);
  for (std::size_t i = 0; i < n; ++i) {
    W& victim = workers_[(first + i) % n];
    if (&victim == &worker) continue;
    if (const Item item = worker.urgent.steal_from(victim.urgent, links_); item != no_item)
      return item;
    if (const Item item = worker.normal.steal_from(victim.normal, links_); item != no_item)
      return item;
  }
  return no_item;
}

template <bool shared>
void Engine<shared>::wake_one() {
  if (n_parked_.load(std::memory_order_relaxed) == 0) return;
  for (W& w : workers_)
    if (w.parker.unpark()) return;
}

template <bool shared>
void Engine<shared>::rest(W& worker, std::uint32_t n_rounds) {
  constexpr std::uint32_t n_spins = 32;     // a few microseconds: cheaper than to leave the core
  constexpr std::uint32_t n_yields = 1024;  // then others want the core more than we do
  const bool has_messages = !to_receive_.is_empty() || !to_send_.is_empty() ||
                            n_in_flight_.load(std::memory_order_relaxed) != 0;
  if (n_rounds < n_spins) return;
  if (worker.index == 0 && n_rounds % n_rounds_to_look == 0) watch();
  if (n_rounds < n_yields || (has_messages && may_communicate(worker))) {
    std::this_thread::yield();
    return;
  }
  if (worker.index == 0 && n_rounds % n_yields == 0 && looks_stuck()) {
    fail(lost_message());
    return;
  }
  n_parked_.fetch_add(1, std::memory_order_seq_cst);
  worker.parker.park([&] {
    return is_done_.load(std::memory_order_seq_cst) || !worker.urgent.looks_empty() ||
           !worker.normal.looks_empty();
  });
  n_parked_.fetch_sub(1, std::memory_order_relaxed);
}

template <bool shared>
bool Engine<shared>::may_communicate(const W& worker) const {
  return !one_communicates_ || worker.index == 0;
}

template <bool shared>
bool Engine<shared>::progress(W& worker, bool polls) {
  if (!may_communicate(worker)) return false;
  if (to_receive_.is_empty() && to_send_.is_empty() &&
      (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0))
    return false;
  // One thread inside the transport at a time; who comes second has better things to do than wait.
  // Acquire and release: what the transport wrote for one holder, the next one sees.
  if constexpr (shared)
    if (transport_taken_.load(std::memory_order_relaxed) ||
        transport_taken_.exchange(true, std::memory_order_acquire))
      return false;
  worker.tickets.clear();
  try {
    post_and_poll(worker, polls);
  } catch (const std::exception& e) {
    fail("communication failed on rank " + std::to_string(transport_.rank()()) + ": " + e.what());
    worker.tickets.clear();
  }
  if constexpr (shared) transport_taken_.store(false, std::memory_order_release);

  if (worker.tickets.empty()) return false;
  const bool is_traced = worker.seat.account.sink() != nullptr;
  const std::int64_t now_ns = is_traced ? worker.seat.account.now_ns() : 0;
  for (const Ticket ticket : worker.tickets) {
    if (is_traced) record_message(worker, ticket, now_ns);
    finish(worker, ticket);
  }
  return true;
}

template <bool shared>
void Engine<shared>::post_and_poll(W& worker, bool polls) {
  const std::int64_t now_ns =
      worker.seat.account.sink() != nullptr ? worker.seat.account.now_ns() : 0;
  // Receives first: a message that finds its receive posted is not copied aside.
  post(to_receive_.take_all(), now_ns);
  post(to_send_.take_all(), now_ns);
  if (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0) return;
  transport_.poll(worker.tickets);
  for (const Ticket ticket : worker.tickets) is_in_flight_[ticket] = 0;
  const std::size_t n = worker.tickets.size();
  if (n == 0) return;
  count_in_flight(-static_cast<std::int64_t>(n));
  n_messages_done_.store(n_messages_done_.load(std::memory_order_relaxed) + n,
                         std::memory_order_relaxed);
}

template <bool shared>
void Engine<shared>::count_in_flight(std::int64_t n) {
  // Only the holder of the transport writes it: no read-modify-write needed.
  n_in_flight_.store(n_in_flight_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

template <bool shared>
void Engine<shared>::post(Item first, std::int64_t now_ns) {
  for (Item item = first; item != no_item; item = links_[item]) {
    const std::uint32_t t = code_.node(item);
    const Node& node = graph_->node(TaskId(t));
    const Message& m = graph_->message(node.message);
    node_left_[item].store(full_[t], std::memory_order_relaxed);
    if (config_.sink != nullptr) posted_ns_[item] = now_ns;
    count_in_flight(1);
    is_in_flight_[item] = 1;
    if (node.kind == NodeKind::recv)
      transport_.post_recv({m.target, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
    else
      transport_.post_send({m.source, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
  }
}

template <bool shared>
void Engine<shared>::record_task(const W& worker, std::uint32_t node, std::uint64_t replay,
                                 std::int64_t start_ns, std::int64_t end_ns) {
  worker.seat.account.sink()->record({.start_ns = start_ns,
                                      .end_ns = end_ns,
                                      .replay = replay,
                                      .node = node,
                                      .worker = static_cast<std::uint16_t>(worker.index),
                                      .kind = trace::EventKind::task});
}

template <bool shared>
void Engine<shared>::record_message(const W& worker, Item item, std::int64_t end_ns) {
  const std::uint32_t node = code_.node(item);
  const bool is_send = graph_->node(TaskId(node)).kind == NodeKind::send;
  worker.seat.account.sink()->record(
      {.start_ns = posted_ns_[item],
       .end_ns = end_ns,
       .replay = replay_of(item),
       .node = node,
       .worker = static_cast<std::uint16_t>(worker.index),
       .kind = is_send ? trace::EventKind::send : trace::EventKind::recv});
}

}  // namespace thalweg::flow
