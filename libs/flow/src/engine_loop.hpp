// SPDX-License-Identifier: MIT
// The part of engine.cpp about how workers look for something to do, help each other and back off.
#pragma once
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine.hpp"

namespace thalweg::flow {

/// How often an idle worker looks at the clock, which costs as much as some rounds.
inline constexpr std::uint32_t n_rounds_to_look = 64;
/// Rounds, of some nanoseconds each, in which an idle worker waits for its own tasks before it
/// looks for others': as long as a notification takes, and what a theft costs both.
inline constexpr std::uint32_t n_rounds_to_steal = 64;
/// Tasks put out for others at once: half of what a deque holds.
inline constexpr std::uint32_t n_most_shared = 512;
/// Rounds of some microseconds in all: cheaper than to leave the core.
inline constexpr std::uint32_t n_spins = 512;
/// A proxy runs tasks under the lock of a blocked worker only where the last of their name that was
/// run for another worker took less than this: 10 to 50 us, as counters go. A worker that comes
/// back waits for the task under way: for no longer than some thefts take.
inline constexpr std::int64_t long_task_ticks = 50'000;
/// From one worker that becomes a proxy to the next, for each worker that its fence interrupts:
/// about a microsecond.
inline constexpr std::int64_t fence_ticks_a_worker = 3'000;

template <bool shared>
void Engine<shared>::work(std::uint32_t index) {
  W& worker = workers_[index];
  if (config_.picker != nullptr)
    work_picked(worker);
  else
    work_ready(worker);
  worker.running.store(no_item, std::memory_order_release);
}

template <bool shared>
void Engine<shared>::work_ready(W& worker) {
  std::uint32_t n_rounds = 0;  // in which there was nothing to do
  worker.busy.begin();
  while (!is_done_.load(std::memory_order_acquire)) {
    if (run_some(worker)) {
      n_rounds = 0;
      continue;
    }
    // Release: who sees that the task is over sees it counted.
    worker.running.store(no_item, std::memory_order_release);
    worker.state.account.enter(Activity::idle);
    if (progress(worker, true)) {
      n_rounds = 0;
      worker.state.account.enter(Activity::overhead);
      continue;
    }
    ++n_rounds;
    if constexpr (shared)
      if (n_rounds % n_rounds_to_steal == 0 || n_rounds > n_spins)
        if (help_others(worker)) {
          n_rounds = 0;
          continue;
        }
    if (n_rounds >= n_spins) back_off(worker, n_rounds);
  }
  worker.busy.end();
}

/// Look around, then run what is ready, if anything is. @return whether anything was
template <bool shared>
bool Engine<shared>::run_some(W& worker) {
  if constexpr (shared) receive(worker);
  if (worker.is_wanted.load(std::memory_order_relaxed)) drain_inbox(worker);
  progress_early(worker);
  if constexpr (shared)
    if (worker.wants_to_share) share(worker);
  Item item = no_item;
  if (worker.ready_by_priority.size() != 0) [[unlikely]]
    item = worker.ready_by_priority.pop_highest(program_.base_priority_class(), links_);
  if (item == no_item && !worker.ready_stack.is_empty()) {
    if (!is_observed_)
      drain<Looks::none>(worker);
    else if (sink_ == nullptr)
      drain<Looks::sampled>(worker);
    else
      drain<Looks::each>(worker);
    return true;
  }
  if constexpr (shared)
    if (item == no_item) {
      item = worker.shared.take();
      if (item != no_item) {
        worker.wants_to_share = true;
        worker.n_to_share = static_cast<std::uint32_t>(workers_.size() - 1);
      }
    }
  if (item == no_item && worker.ready_by_priority.size() != 0)
    item = worker.ready_by_priority.pop_highest(0, links_);
  if (item == no_item) return false;
  if (run_one(worker, item)) finish(worker, item);
  return true;
}

template <bool shared>
bool Engine<shared>::run_one(W& worker, Item item) {
  worker.context.controls_termination_ = code_.node(item) == termination_node_;
  const bool is_over = run<Looks::each>(worker, item, exec_nodes_[code_.node(item)]);
  worker.context.controls_termination_ = false;
  note_stop(worker, item);
  return is_over;
}

template <bool shared>
void Engine<shared>::note_stop(W& worker, Item item) {
  if (!worker.context.stops_) return;
  // Before whoever finishes the task counts down the next token, or this replay's end.
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
      worker.state.account.enter(Activity::idle);
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
    if ((item & external_bit) != 0)
      resume(worker, item & ~external_bit);
    else if (run_one(worker, item))
      finish(worker, item);
  }
}

template <bool shared>
void Engine<shared>::open(W& worker, std::uint32_t code) {
  const Notification& notification = program_.notifications()[code >> 3];
  const std::uint32_t slot = code & 7;
  const std::uint32_t* const targets = targets_ + notification.first_target;
  count_down(worker, code_.item(code_.slot_after(slot), 0), targets, notification.n_wraps);
  count_down(worker, code_.item(slot, 0), targets + notification.n_wraps, notification.n_targets);
}

template <bool shared>
void Engine<shared>::drain_inbox(W& worker) {
  // An exchange: what comes after it raises the flag again, what came before is seen here.
  worker.is_wanted.exchange(false, std::memory_order_acq_rel);
  worker.wants_to_share = workers_.size() > 1;
  finish_all(worker);
  resume_all(worker);
}

template <bool shared>
void Engine<shared>::finish_all(W& worker) {
  for (Item item = worker.completions.take_all(); item != no_item;) {
    const Item next = links_[item];  // finishing it may put it in another chain
    if (has_communication_thread_ && sink_ != nullptr && has_message(item))
      record_message(worker, item, done_ns_[item]);
    finish(worker, item);
    item = next;
  }
}

template <bool shared>
void Engine<shared>::share(W& worker) {
  const std::uint32_t n = worker.ready_stack.size() + worker.ready_by_priority.size();
  // One stays with the worker, unless that is in a long body.
  const bool was_helped = worker.proxy_lock.is_in_body();
  if (n < (was_helped ? 1 : 2)) return;
  worker.wants_to_share = false;
  if (!worker.shared.is_empty()) return;
  // What we would come to last. More each time all was taken: a thief whose tasks are shorter than
  // ours must not wait for us again and again.
  const std::uint32_t n_shared =
      was_helped ? std::min(n, n_most_shared) : std::min(n / 2, worker.n_to_share);
  worker.n_to_share = std::min(2 * worker.n_to_share, n_most_shared);
  for (std::uint32_t i = 0; i < n_shared; ++i) {
    Item item = worker.ready_by_priority.pop_lowest(program_.base_priority_class(), links_);
    if (item == no_item)
      item = worker.ready_stack.is_empty()
                 ? worker.ready_by_priority.pop_lowest(program_.n_priority_classes(), links_)
                 : worker.ready_stack.pop_first();
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

/// Run something of others. @return whether there was anything
template <bool shared>
bool Engine<shared>::help_others(W& worker) {
  const std::uint64_t n_tasks = worker.state.account.n_tasks();
  Item item = steal(worker);
  if (item == no_item) item = help_blocked(worker);
  if (item != no_item) run_apart(worker, item);
  if (worker.state.account.n_tasks() != n_tasks) return true;
  for (W& busy : workers_)
    if (busy.proxy_lock.is_in_body() && resume_one_of(worker, busy)) return true;
  return false;
}

/// Run a task that may be another's, under nobody's lock, and what its owner's proxy finds next.
template <bool shared>
void Engine<shared>::run_apart(W& worker, Item item) {
  while (item != no_item) {
    W& owner = workers_[program_.owner(code_.node(item))];
    const std::int64_t start = worker.state.account.now_ticks();
    if (run_one(worker, item)) finish_anywhere(worker, item);
    const bool is_short = note_length(item, worker.state.account.now_ticks() - start);
    progress(worker, true);  // as if it had come back to look for something to do
    // Others may wait for what it has made, and its owner may not come to it for as long again.
    item = no_item;
    if (!is_short && &owner != &worker && owner.proxy_lock.is_in_body() &&
        owner.proxy_lock.try_enter(needs_fence_))
      item = leave_as_proxy(worker, owner);
  }
}

/// Schedule for a worker that is inside a long body, or that has backed off and has mail, as its
/// proxy. @return a task to run apart, if there was one
template <bool shared>
Item Engine<shared>::help_blocked(W& worker) {
  for (W& busy : workers_) {
    if (&busy == &worker || !busy.proxy_lock.is_in_body()) continue;
    // Only where it was in the same body when we came by last, and where nobody has been its proxy
    // in this body for what is there; and not too often, all workers together: the fence costs
    // microseconds, and interrupts all who compute.
    const std::uint64_t body = busy.body();
    if (std::exchange(worker.seen_bodies[busy.index], body) != body) continue;
    const bool has_backed_off = busy.running.load(std::memory_order_relaxed) == no_item;
    const bool was_helped = busy.helped_body.load(std::memory_order_relaxed) == body;
    if ((has_backed_off || was_helped) && !has_mail(busy)) continue;
    const std::int64_t now = worker.state.account.now_ticks();
    if (now < next_fence_.load(std::memory_order_relaxed)) return no_item;
    next_fence_.store(now + fence_ticks_a_worker * std::ssize(workers_), std::memory_order_relaxed);
    if (!busy.proxy_lock.try_enter(needs_fence_)) continue;
    if (const Item item = leave_as_proxy(worker, busy); item != no_item) return item;
  }
  return no_item;
}

/// Run as a proxy that has entered, and leave. @return a task to run apart, if there was one
template <bool shared>
Item Engine<shared>::leave_as_proxy(W& worker, W& away) {
  const std::uint64_t body = away.body();
  const Item item = run_as_proxy(worker, away);
  if (away.ready_stack.is_empty() && away.ready_by_priority.size() == 0) {
    away.helped_body.store(body, std::memory_order_relaxed);
  } else {
    away.helped_body.store(Worker::no_body, std::memory_order_relaxed);
    call(away);
  }
  away.proxy_lock.stop();
  return item;
}

/// Take the notifications of a worker that is away, finish its nodes that are over, and run the
/// short tasks of two workers, one's own and those of the other, until that one comes back or there
/// is nothing to run. Where cores are taken by others, it may be away for milliseconds; to take its
/// lock for each task that goes back and forth would cost microseconds.
/// @return a task of either that is not known to be short: a worker that comes back waits for the
///         one under way
template <bool shared>
Item Engine<shared>::run_as_proxy(W& worker, W& away) {
  std::int64_t last = worker.state.account.now_ticks();
  while (away.proxy_lock.is_in_body() && !is_done_.load(std::memory_order_acquire)) {
    receive(worker);
    // A coroutine may be long: it goes on without the lock.
    if (worker.has_resumable.load(std::memory_order_relaxed)) break;
    if (worker.is_wanted.load(std::memory_order_relaxed)) drain_inbox(worker);
    receive(away);
    if (!away.completions.is_empty()) finish_all(away);
    progress_early(worker);
    if (workers_.size() > 2 && away.wants_to_share) share(away);
    W* owner = &worker;
    Item item = take_one(worker);
    if (item == no_item) item = take_one(*(owner = &away));
    if (item == no_item) break;
    if (!is_short_[graph_->node(node_of(item)).name].load(std::memory_order_relaxed)) {
      share(away);
      return item;
    }
    if (run_one(worker, item)) finish(*owner, item);
    const std::int64_t start = std::exchange(last, worker.state.account.now_ticks());
    note_length(item, last - start);
  }
  return no_item;
}

/// @return whether a task that took so long was short
template <bool shared>
bool Engine<shared>::note_length(Item item, std::int64_t ticks) {
  const bool is_short = ticks < long_task_ticks;
  std::atomic<bool>& known = is_short_[graph_->node(node_of(item)).name];
  if (known.load(std::memory_order_relaxed) != is_short)
    known.store(is_short, std::memory_order_relaxed);
  return is_short;
}

template <bool shared>
Item Engine<shared>::take_one(W& owner) {
  Item item = no_item;
  if (owner.ready_by_priority.size() != 0)
    item = owner.ready_by_priority.pop_highest(program_.base_priority_class(), links_);
  if (item == no_item && !owner.ready_stack.is_empty())
    item =
        config_.runs_successor_next ? owner.ready_stack.pop_last() : owner.ready_stack.pop_first();
  if (item == no_item) item = owner.shared.take();
  if (item == no_item && owner.ready_by_priority.size() != 0)
    item = owner.ready_by_priority.pop_highest(0, links_);
  return item;
}

template <bool shared>
void Engine<shared>::finish_anywhere(W& worker, Item item) {
  if (!shared || program_.owner(code_.node(item)) == worker.index)
    finish(worker, item);
  else
    return_to_owner(item);
}

template <bool shared>
void Engine<shared>::back_off(W& worker, std::uint32_t n_rounds) {
  constexpr std::uint32_t n_yields = 2048;  // then others want the core more than we do
  const bool has_messages =
      has_messages_to_post() || n_in_flight_.load(std::memory_order_relaxed) != 0;
  worker.busy.end();
  if (worker.index == 0 && !has_communication_thread_ && n_rounds % n_rounds_to_look == 0) watch();
  if (worker.index == 0 && n_rounds >= n_yields && n_rounds % n_yields == 0 && looks_stuck())
    fail(lost_message());
  // Others may act as its proxy as if it were in a long body: it comes back when the system lets
  // it.
  if constexpr (shared) worker.proxy_lock.enter_body();
  if (n_rounds < n_yields || (has_messages && may_communicate(worker)))
    transport_.yield();
  else
    worker.state.account.count_park(worker.parker.park(
        [&] {
          return is_done_.load(std::memory_order_seq_cst) || has_mail(worker) ||
                 worker.has_resumable.load(std::memory_order_seq_cst) ||
                 (may_communicate(worker) && has_messages_to_post());
        },
        park_limit_));
  // First, so that what a proxy leaves here is not overlooked.
  worker.busy.begin();
  if constexpr (shared) worker.proxy_lock.leave_body(needs_fence_);
}

}  // namespace thalweg::flow
