// SPDX-License-Identifier: MIT
// The part of engine.cpp about how workers look for something to do, help each other and rest.
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
/// Tasks put out for others at once: half of what a deque holds.
inline constexpr std::uint32_t n_most_shared = 512;
/// Rounds of some microseconds in all: cheaper than to leave the core.
inline constexpr std::uint32_t n_spins = 512;
/// From here on a task is run beside the home it belongs to, not in the place of its worker: that
/// would rather wait for no more than some thefts.
inline constexpr std::int64_t long_task_ns = 20'000;

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
      if (n_rounds % n_rounds_to_steal == 0 || n_rounds > n_spins)
        if (help_others(worker)) {
          n_rounds = 0;
          continue;
        }
    if (n_rounds >= n_spins) rest(worker, n_rounds);
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
      if (item != no_item) {
        worker.wants_to_share = true;
        worker.n_to_share = static_cast<std::uint32_t>(workers_.size() - 1);
      }
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
  worker.wants_to_share = workers_.size() > 1;
  finish_all(worker);
  resume_all(worker);
}

template <bool shared>
void Engine<shared>::finish_all(W& worker) {
  for (Item item = worker.over.take_all(); item != no_item;) {
    const Item next = links_[item];  // finishing it may put it in another chain
    if (serves_ && sink_ != nullptr && has_message(item))
      record_message(worker, item, done_ns_[item]);
    finish(worker, item);
    item = next;
  }
}

template <bool shared>
void Engine<shared>::share(W& worker) {
  const std::uint32_t n = worker.row.size() + worker.levels.size();
  // One stays with the worker, unless that is in a long body.
  const bool is_minded = worker.minding.is_in_body();
  if (n < (is_minded ? 1 : 2)) return;
  worker.wants_to_share = false;
  if (!worker.shared.is_empty()) return;
  // What we would come to last. More each time all was taken: a thief whose tasks are shorter than
  // ours must not wait for us again and again.
  const std::uint32_t n_shared =
      is_minded ? std::min(n, n_most_shared) : std::min(n / 2, worker.n_to_share);
  worker.n_to_share = std::min(2 * worker.n_to_share, n_most_shared);
  for (std::uint32_t i = 0; i < n_shared; ++i) {
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

/// Run something of others. @return whether there was anything
template <bool shared>
bool Engine<shared>::help_others(W& worker) {
  const std::uint64_t n_tasks = worker.seat.account.n_tasks();
  Item item = steal(worker);
  if (item == no_item && mind_others(worker)) item = steal(worker);
  if (item != no_item) {
    const std::int64_t start_ns = worker.seat.account.now_ns();
    if (run_one(worker, item)) finish_anywhere(worker, item);
    worker.glimpses[program_.home(code_.node(item))].has_short_tasks =
        worker.seat.account.now_ns() - start_ns < long_task_ns;
    return true;
  }
  if (worker.seat.account.n_tasks() != n_tasks) return true;
  for (W& busy : workers_)
    if (busy.minding.is_in_body() && resume_one_of(worker, busy)) return true;
  return false;
}

/// Look after the homes of workers that are inside a long body or rest: take their letters, finish
/// their steps that are over, run or put out what is ready. @return whether there was such a home
template <bool shared>
bool Engine<shared>::mind_others(W& worker) {
  bool has_minded = false;
  for (W& busy : workers_) {
    if (&busy == &worker || !busy.minding.is_in_body()) continue;
    // Only where it was in the same body when we came by last, and not for nothing again and again:
    // the fence costs microseconds.
    Glimpse& last = worker.glimpses[busy.index];
    const Glimpse now{busy.running.load(std::memory_order_relaxed), busy.seat.account.n_tasks()};
    if (last.running != now.running || last.n_tasks != now.n_tasks) {
      last = {now.running, now.n_tasks, false, last.has_short_tasks};
      continue;
    }
    if ((last.is_minded && !has_post(busy)) || !busy.minding.try_mind(needs_fence_)) continue;
    last.is_minded = true;
    if (last.has_short_tasks) last.has_short_tasks = stand_in(worker, busy);
    if (!last.has_short_tasks) {
      receive(busy);
      finish_all(busy);
      share(busy);
    }
    busy.minding.stop();
    has_minded = true;
  }
  return has_minded;
}

/// Be the worker of two homes, one's own and one that is minded, until its worker wants it back or
/// there is nothing to run. Where cores are taken by others, that worker may be away for
/// milliseconds; to mind the home for each task that goes back and forth would cost microseconds.
/// @return whether all tasks were short: a worker that comes back waits for the one under way
template <bool shared>
bool Engine<shared>::stand_in(W& worker, W& away) {
  while (away.minding.is_in_body() && !is_done_.load(std::memory_order_acquire)) {
    receive(worker);
    if (worker.is_wanted.load(std::memory_order_relaxed)) attend(worker);
    if (has_posts()) progress(worker, false);
    receive(away);
    if (!away.over.is_empty()) finish_all(away);
    if (workers_.size() > 2 && away.wants_to_share) share(away);
    W* home = &worker;
    Item item = take_one(worker);
    if (item == no_item) item = take_one(*(home = &away));
    if (item == no_item) break;
    const std::int64_t start_ns = worker.seat.account.now_ns();
    if (run_one(worker, item)) finish(*home, item);
    if (worker.seat.account.now_ns() - start_ns > long_task_ns) return false;
  }
  return true;
}

template <bool shared>
Item Engine<shared>::take_one(W& home) {
  Item item = no_item;
  if (home.levels.size() != 0) item = home.levels.pop_highest(program_.base_level(), links_);
  if (item == no_item && !home.row.is_empty())
    item = config_.runs_successor_next ? home.row.pop_last() : home.row.pop_first();
  if (item == no_item) item = home.shared.take();
  if (item == no_item && home.levels.size() != 0) item = home.levels.pop_highest(0, links_);
  return item;
}

template <bool shared>
void Engine<shared>::finish_anywhere(W& worker, Item item) {
  if (!shared || program_.home(code_.node(item)) == worker.index)
    finish(worker, item);
  else
    send_home(item);
}

template <bool shared>
void Engine<shared>::rest(W& worker, std::uint32_t n_rounds) {
  constexpr std::uint32_t n_yields = 2048;  // then others want the core more than we do
  const bool has_messages = has_posts() || n_in_flight_.load(std::memory_order_relaxed) != 0;
  worker.is_busy.store(false, std::memory_order_seq_cst);
  if (worker.index == 0 && !serves_ && n_rounds % n_rounds_to_look == 0) watch();
  if (worker.index == 0 && n_rounds >= n_yields && n_rounds % n_yields == 0 && looks_stuck()) {
    fail(lost_message());
    return;
  }
  // Others may mind its home as if it were in a long body: it comes back when the system lets it.
  if constexpr (shared) worker.minding.enter_body();
  if (n_rounds < n_yields || (has_messages && may_communicate(worker)))
    std::this_thread::yield();
  else
    worker.parker.park([&] {
      return is_done_.load(std::memory_order_seq_cst) || has_post(worker) ||
             worker.has_resumable.load(std::memory_order_seq_cst);
    });
  // First, so that what a minder leaves here is not overlooked.
  worker.is_busy.store(true, std::memory_order_seq_cst);
  if constexpr (shared) worker.minding.leave_body(needs_fence_);
}

}  // namespace thalweg::flow
