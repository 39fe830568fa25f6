// SPDX-License-Identifier: MIT
// The second part of engine.cpp: how workers look for something to do, communicate and rest.
#pragma once
#include <algorithm>
#include <thread>

#include "engine.hpp"

namespace thalweg::flow {

/// How often an idle worker looks at the clock, which costs as much as some rounds.
inline constexpr std::uint32_t n_rounds_to_look = 64;
/// Rounds, of some nanoseconds each, in which an idle worker waits for its own tasks before it
/// looks for others': as long as a letter takes, and what a theft costs both.
inline constexpr std::uint32_t n_rounds_to_steal = 64;
/// Rounds of some microseconds in all: cheaper than to leave the core.
inline constexpr std::uint32_t n_spins = 512;

template <bool shared>
void Engine<shared>::work(std::uint32_t index) {
  W& worker = workers_[index];
  if (config_.picker != nullptr)
    work_picked(worker);
  else
    work_ready(worker);
  worker.running.store(no_item, std::memory_order_release);
  worker.is_busy.store(false, std::memory_order_seq_cst);
}

template <bool shared>
void Engine<shared>::work_ready(W& worker) {
  std::uint32_t n_rounds = 0;  // in which there was nothing to do
  worker.is_busy.store(true, std::memory_order_seq_cst);
  while (!is_done_.load(std::memory_order_acquire)) {
    if (run_some(worker)) {
      n_rounds = 0;
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
    ++n_rounds;
    if constexpr (shared)
      if (n_rounds % n_rounds_to_steal == 0)
        if (const Item item = steal(worker); item != no_item) {
          n_rounds = 0;
          if (run_one(worker, item)) send_home(item);
          continue;
        }
    if (n_rounds < n_spins) continue;
    worker.is_busy.store(false, std::memory_order_seq_cst);
    rest(worker, n_rounds);
    worker.is_busy.store(true, std::memory_order_seq_cst);
  }
}

/// Look around, then run what is ready, if anything is. @return whether anything was
template <bool shared>
bool Engine<shared>::run_some(W& worker) {
  if constexpr (shared) receive(worker);
  if (worker.is_wanted.load(std::memory_order_relaxed)) attend(worker);
  // Early posting: somebody may be waiting for the message.
  const bool polls = config_.progress == Progress::task_boundary;
  if (polls || has_posts()) progress(worker, polls);
  if constexpr (shared)
    if (worker.wants_to_share) share(worker);
  Item item = no_item;
  if (worker.levels.size() != 0) [[unlikely]]
    item = worker.levels.pop_highest(program_.base_level(), links_);
  if (item == no_item && !worker.row.is_empty()) {
    if (is_observed_)
      drain<true>(worker);
    else
      drain<false>(worker);
    return true;
  }
  if constexpr (shared)
    if (item == no_item) {
      item = worker.shared.take();
      if (item != no_item) worker.wants_to_share = true;
    }
  if (item == no_item && worker.levels.size() != 0) item = worker.levels.pop_highest(0, links_);
  if (item == no_item) return false;
  if (run_one(worker, item)) finish(worker, item);
  return true;
}

template <bool shared>
bool Engine<shared>::run_one(W& worker, Item item) {
  worker.context.decides_ = code_.node(item) == decider_;
  const bool is_over = run<true>(worker, item, steps_[code_.node(item)]);
  worker.context.decides_ = false;
  note_stop(worker, item);
  return is_over;
}

template <bool shared>
void Engine<shared>::note_stop(W& worker, Item item) {
  if (!worker.context.stops_) return;
  // Before whoever finishes the task counts down the next gate, or this replay's end.
  worker.context.stops_ = false;
  n_wanted_.store(replay_of(item) + 1, std::memory_order_relaxed);
  is_stopped_.store(true, std::memory_order_relaxed);
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
    if ((item & outside_bit) != 0)
      resume(worker, item & ~outside_bit);
    else if (run_one(worker, item))
      finish(worker, item);
  }
}

template <bool shared>
void Engine<shared>::open(W& worker, std::uint32_t code) {
  const Letter& letter = program_.letters()[code >> 3];
  const std::uint32_t slot = code & 7;
  const std::uint32_t* const targets = targets_ + letter.first_target;
  count_down(worker, code_.item(code_.slot_after(slot), 0), targets, letter.n_wraps);
  count_down(worker, code_.item(slot, 0), targets + letter.n_wraps, letter.n_targets);
}

template <bool shared>
void Engine<shared>::attend(W& worker) {
  // An exchange: what comes after it raises the flag again, what came before is seen here.
  worker.is_wanted.exchange(false, std::memory_order_acq_rel);
  worker.wants_to_share = shared;
  for (Item item = worker.over.take_all(); item != no_item;) {
    const Item next = links_[item];  // finishing it may put it in another chain
    if (serves_ && config_.sink != nullptr && has_message(item))
      record_message(worker, item, done_ns_[item]);
    finish(worker, item);
    item = next;
  }
  resume_all(worker);
}

template <bool shared>
void Engine<shared>::share(W& worker) {
  const std::uint32_t n = worker.row.size() + worker.levels.size();
  if (n < 2) return;
  worker.wants_to_share = false;
  if (!worker.shared.is_empty()) return;
  // What we would come to last.
  const auto n_others = static_cast<std::uint32_t>(workers_.size() - 1);
  for (std::uint32_t i = 0; i < std::min(n / 2, n_others); ++i) {
    Item item = worker.levels.pop_lowest(program_.base_level(), links_);
    if (item == no_item)
      item = worker.row.is_empty() ? worker.levels.pop_lowest(program_.n_levels(), links_)
                                   : worker.row.pop_first();
    worker.shared.push(item);
  }
  for (W& w : workers_)
    if (w.parker.unpark()) return;
}

template <bool shared>
Item Engine<shared>::steal(W& worker) {
  const std::size_t n = workers_.size();
  const std::size_t first = worker.random.below(n);
  for (std::size_t i = 0; i < n; ++i) {
    W& victim = workers_[(first + i) % n];
    if (&victim == &worker) continue;
    if (const Item item = victim.shared.steal(); item != no_item) {
      victim.is_wanted.store(true, std::memory_order_release);
      return item;
    }
  }
  return no_item;
}

template <bool shared>
void Engine<shared>::rest(W& worker, std::uint32_t n_rounds) {
  constexpr std::uint32_t n_yields = 2048;  // then others want the core more than we do
  const bool has_messages = has_posts() || n_in_flight_.load(std::memory_order_relaxed) != 0;
  if (worker.index == 0 && !serves_ && n_rounds % n_rounds_to_look == 0) watch();
  if (n_rounds < n_yields || (has_messages && may_communicate(worker))) {
    std::this_thread::yield();
    return;
  }
  if (worker.index == 0 && n_rounds % n_yields == 0 && looks_stuck()) {
    fail(lost_message());
    return;
  }
  worker.parker.park([&] {
    return is_done_.load(std::memory_order_seq_cst) || !worker.over.is_empty() ||
           worker.has_resumable.load(std::memory_order_seq_cst) ||
           std::ranges::any_of(worker.in, [](const auto* pipe) { return !pipe->is_empty(); });
  });
}

template <bool shared>
bool Engine<shared>::may_communicate(const W& worker) const {
  return !serves_ && (!one_communicates_ || worker.index == 0);
}

template <bool shared>
void Engine<shared>::call_communicator() {
  if (serves_)
    server_parker_.unpark();
  else
    call(workers_[0]);
}

template <bool shared>
bool Engine<shared>::progress(W& worker, bool polls) {
  if (!may_communicate(worker)) return false;
  if (!has_posts() && (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0)) return false;
  if (!communicate(worker.tickets, polls)) {
    // Who is inside may have missed what we have to post: look again after the next task.
    worker.is_wanted.store(true, std::memory_order_relaxed);
    return false;
  }
  if (worker.tickets.empty()) return false;
  const std::int64_t now_ns = config_.sink != nullptr ? worker.seat.account.now_ns() : 0;
  for (const Ticket ticket : worker.tickets) {
    if (config_.sink != nullptr && has_message(ticket)) record_message(worker, ticket, now_ns);
    if (!shared || program_.home(code_.node(ticket)) == worker.index)
      finish(worker, ticket);
    else
      send_home(ticket);
  }
  return true;
}

template <bool shared>
void Engine<shared>::serve() {
  std::vector<Ticket> tickets;
  tickets.reserve(graph_->n_messages() * depth_);
  for (std::uint32_t n_rounds = 1; !is_done_.load(std::memory_order_acquire); ++n_rounds) {
    is_serving_.store(true, std::memory_order_seq_cst);
    communicate(tickets, true);
    const std::int64_t now_ns = config_.sink != nullptr ? clock_.now_ns() : 0;
    for (const Ticket ticket : tickets) {
      if (config_.sink != nullptr) done_ns_[ticket] = now_ns;
      send_home(ticket);
    }
    is_serving_.store(false, std::memory_order_seq_cst);
    if (!tickets.empty()) n_rounds = 0;
    if (n_rounds % n_rounds_to_look == 0) watch();
    if (n_rounds < n_spins) continue;
    if (has_posts() || n_in_flight_.load(std::memory_order_relaxed) != 0)
      std::this_thread::yield();
    else
      server_parker_.park([&] { return is_done_.load(std::memory_order_seq_cst) || has_posts(); });
  }
}

/// Post, and poll if asked to; get the items that are over. @return whether nobody else was inside
template <bool shared>
bool Engine<shared>::communicate(std::vector<Ticket>& tickets, bool polls) {
  // One thread inside the transport at a time; who comes second has better things to do than wait.
  if constexpr (shared)
    if (!transport_lock_.try_lock()) return false;
  tickets.clear();
  try {
    post_and_poll(tickets, polls);
  } catch (const std::exception& e) {
    fail("communication failed on rank " + std::to_string(transport_.rank()()) + ": " + e.what());
    tickets.clear();
  }
  if constexpr (shared) transport_lock_.unlock();
  return true;
}

template <bool shared>
void Engine<shared>::post_and_poll(std::vector<Ticket>& tickets, bool polls) {
  const std::int64_t now_ns = config_.sink != nullptr ? clock_.now_ns() : 0;
  // Receives first: a message that finds its receive posted is not copied aside.
  post(to_receive_.take_all(), now_ns);
  post(to_send_.take_all(), now_ns);
  begin_outside();
  if (!polls || n_in_flight_.load(std::memory_order_relaxed) == 0) return;
  transport_.poll(tickets);
  std::size_t n = 0;
  for (const Ticket ticket : tickets)
    if ((ticket & outside_bit) == 0) {
      is_in_flight_[ticket] = 0;
      ++n;
    }
  if (n != 0) count_done(n);
  poll_outside(tickets);
}

template <bool shared>
void Engine<shared>::count_done(std::size_t n) {
  n_messages_done_.store(n_messages_done_.load(std::memory_order_relaxed) + n,
                         std::memory_order_relaxed);
  count_in_flight(-static_cast<std::int64_t>(n));
}

template <bool shared>
void Engine<shared>::count_in_flight(std::int64_t n) {
  // Only the holder of the transport writes it: no read-modify-write needed.
  n_in_flight_.store(n_in_flight_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

template <bool shared>
void Engine<shared>::post(Item first, std::int64_t now_ns) {
  for (Item item = first; item != no_item; item = links_[item]) {
    const Node& node = graph_->node(node_of(item));
    const Message& m = graph_->message(node.message);
    if (config_.sink != nullptr) posted_ns_[item] = now_ns;
    count_in_flight(1);
    is_in_flight_[item] = 1;
    if (config_.posting == Posting::persistent)
      transport_.start(prepared(item, m), item);
    else if (node.kind == NodeKind::recv)
      transport_.post_recv({m.target, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
    else
      transport_.post_send({m.source, m.n_bytes}, m.peer, Channel::graph, m.tag, item);
  }
}

template <bool shared>
PreparedId Engine<shared>::prepared(Item item, const Message& m) {
  // One an item, not one a node: a datum that nobody writes may be sent by two replays at once.
  std::optional<PreparedId>& id = prepared_[item];
  if (!id)
    id = m.target != nullptr
             ? transport_.prepare_recv({m.target, m.n_bytes}, m.peer, Channel::graph, m.tag)
             : transport_.prepare_send({m.source, m.n_bytes}, m.peer, Channel::graph, m.tag);
  return *id;
}

template <bool shared>
void Engine<shared>::release_prepared() {
  for (const std::optional<PreparedId>& id : prepared_)
    if (id) transport_.release(*id);
  prepared_.clear();
}

template <bool shared>
void Engine<shared>::record_task(const W& worker, Item item, std::int64_t start_ns,
                                 std::int64_t end_ns) {
  const Node& n = graph_->node(node_of(item));
  config_.sink->record({.start_ns = start_ns,
                        .end_ns = end_ns,
                        .replay = first_step_.value_or(0) + replay_of(item),
                        .block = n.block,
                        .name = trace_names_[n.name],
                        .worker = worker.index,
                        .level = n.level,
                        .kind = trace::EventKind::task});
}

template <bool shared>
void Engine<shared>::record_message(const W& worker, Item item, std::int64_t end_ns) {
  const Node& n = graph_->node(node_of(item));
  const Message& m = graph_->message(n.message);
  config_.sink->record(
      {.start_ns = posted_ns_[item],
       .end_ns = end_ns,
       .replay = first_step_.value_or(0) + replay_of(item),
       .block = n.block,
       .bytes = m.n_bytes,
       .name = trace_names_[n.name],
       .worker = worker.index,
       .peer = m.peer(),
       .level = n.level,
       .kind = n.kind == NodeKind::send ? trace::EventKind::send : trace::EventKind::recv});
}

}  // namespace thalweg::flow
