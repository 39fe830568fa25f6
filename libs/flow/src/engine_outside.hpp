// SPDX-License-Identifier: MIT
// The part of engine.cpp about tasks that wait for something outside: bound requests, coroutines.
#pragma once
#include "engine.hpp"

namespace thalweg::flow {

/// Tickets of what tasks wait for: held task number | this. Items are smaller.
inline constexpr Ticket outside_bit = 1u << 31;

template <bool shared>
void Engine<shared>::hold(W& worker, Item item) {
  outside_.hold(item, worker.holds);
  let_go(worker);
}

template <bool shared>
void Engine<shared>::let_go(W& worker) {
  worker.holds.any = false;
  worker.holds.bound.clear();
  worker.holds.suspended = nullptr;
  // Somebody is to begin what it waits for.
  if (!outside_.has_new()) return;
  if (may_communicate(worker))
    worker.is_wanted.store(true, std::memory_order_relaxed);
  else
    call_communicator();
}

template <bool shared>
void Engine<shared>::begin_outside() {
  if (!outside_.has_new()) return;
  outside_.take_new([&](const OutsideEvent& event, const detail::Awaited& a) {
    count_in_flight(1);
    switch (a.kind) {
      case detail::Awaited::Kind::send:
        transport_.post_send(a.source, a.peer, Channel::task, a.tag, event.held | outside_bit);
        break;
      case detail::Awaited::Kind::recv:
        transport_.post_recv(a.target, a.peer, Channel::task, a.tag, event.held | outside_bit);
        break;
      case detail::Awaited::Kind::request:
        outside_.watch(event, a.request);
        break;
    }
  });
}

template <bool shared>
void Engine<shared>::poll_outside(std::vector<Ticket>& tickets) {
  std::size_t n_over = 0;
  for (Ticket& ticket : tickets)
    if ((ticket & outside_bit) != 0) {
      ++n_over;
      go_on(ticket & ~outside_bit);
      ticket = no_item;
    }
  if (n_over != 0) std::erase(tickets, no_item);
  if (outside_.has_tested())
    outside_.test([&](const OutsideEvent& event) {
      ++n_over;
      const Item item = outside_.held(event.held).item;
      if (event.is_awaited)
        go_on(event.held);
      else if (outside_.end_bound(event.held))
        tickets.push_back(item);
    });
  if (n_over != 0) count_done(n_over);
}

/// Have a suspended task resumed at its home.
template <bool shared>
void Engine<shared>::go_on(std::uint32_t held) {
  const Item item = outside_.held(held).item;
  W& home = workers_[program_.home(code_.node(item))];
  if (config_.picker != nullptr) {
    ready_.push_back(held | outside_bit);
    ready_ids_.push_back(node_of(item));
    return;
  }
  {
    const std::lock_guard lock(home.resumable_mutex);
    home.resumable.push_back(held);
    home.has_resumable.store(true, std::memory_order_release);
  }
  call(home);
}

template <bool shared>
void Engine<shared>::resume_all(W& worker) {
  if (!worker.has_resumable.load(std::memory_order_acquire)) return;
  {
    const std::lock_guard lock(worker.resumable_mutex);
    std::swap(worker.resumable, worker.resuming);
    worker.has_resumable.store(false, std::memory_order_relaxed);
  }
  for (const std::uint32_t held : worker.resuming) resume(worker, held);
  worker.resuming.clear();
}

/// Take over one of those from a worker that is inside a body. @return whether there was one
template <bool shared>
bool Engine<shared>::resume_one_of(W& worker, W& busy) {
  if (!busy.has_resumable.load(std::memory_order_acquire)) return false;
  std::uint32_t held = 0;
  {
    const std::lock_guard lock(busy.resumable_mutex);
    if (busy.resumable.empty()) return false;
    held = busy.resumable.back();
    busy.resumable.pop_back();
    busy.has_resumable.store(!busy.resumable.empty(), std::memory_order_relaxed);
  }
  resume(worker, held);
  return true;
}

template <bool shared>
void Engine<shared>::resume(W& worker, std::uint32_t id) {
  const HeldTask held = outside_.held(id);
  worker.context.replay_ = replay_of(held.item);
  worker.running.store(held.item, std::memory_order_relaxed);
  const std::int64_t start_ns = worker.seat.account.enter(Activity::work);
  if constexpr (shared) worker.minding.enter_body();
  try {
    held.frame->resume(worker.context);
  } catch (const std::exception& e) {
    leave_body(worker);
    fail_task(held.item, e.what());
    return;
  } catch (...) {
    leave_body(worker);
    fail_task(held.item, "it threw something that is not a std::exception");
    return;
  }
  leave_body(worker);
  const std::int64_t end_ns = worker.seat.account.enter(Activity::overhead);
  if (sink_ != nullptr) record_task(worker, held.item, start_ns, end_ns);
  note_stop(worker, held.item);
  const bool is_over = outside_.hold_again(id, worker.holds);
  let_go(worker);
  if (is_over) finish_anywhere(worker, held.item);
}

}  // namespace thalweg::flow
