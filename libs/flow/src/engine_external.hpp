// SPDX-License-Identifier: MIT
// The part of engine.cpp about tasks that wait for external events: bound requests, coroutines.
#pragma once
#include <thalweg/core/exception_words.hpp>

#include "engine.hpp"

namespace thalweg::flow {

/// Tickets of what tasks wait for: pending task number | this. Items are smaller.
inline constexpr Ticket external_bit = 1u << 31;

template <bool shared>
void Engine<shared>::keep_pending(W& worker, Item item) {
  external_.keep_pending(item, worker.pending);
  publish_pending(worker);
}

template <bool shared>
void Engine<shared>::publish_pending(W& worker) {
  worker.pending.any = false;
  worker.pending.bound.clear();
  worker.pending.suspended = nullptr;
  // Somebody is to begin what it waits for.
  if (!external_.has_new()) return;
  if (may_communicate(worker))
    worker.is_wanted.store(true, std::memory_order_relaxed);
  else
    call_communicator();
}

template <bool shared>
void Engine<shared>::begin_external() {
  if (!external_.has_new()) return;
  claim_->take("a task that waits for a message or a request");
  external_.take_new([&](const ExternalEvent& event, const detail::Awaited& a) {
    if (!has_peer(event, a)) return;
    count_in_flight(1);
    switch (a.kind) {
      case detail::Awaited::Kind::send:
        transport_.post_send(a.source, a.peer, Channel::task, a.tag, event.pending | external_bit);
        break;
      case detail::Awaited::Kind::recv:
        transport_.post_recv(a.target, a.peer, Channel::task, a.tag, event.pending | external_bit);
        break;
      case detail::Awaited::Kind::request:
        external_.watch(event, a.request);
        break;
    }
  });
}

/// Whether there is the rank that a coroutine sends to or receives from; the run fails where not.
template <bool shared>
bool Engine<shared>::has_peer(const ExternalEvent& event, const detail::Awaited& a) {
  const auto n_ranks = static_cast<std::uint32_t>(transport_.n_ranks());
  if (a.kind == detail::Awaited::Kind::request || a.peer() < n_ranks) return true;
  const bool is_recv = a.kind == detail::Awaited::Kind::recv;
  const std::string why =
      std::string("it ") + (is_recv ? "receives from" : "sends to") + " rank " +
      std::to_string(a.peer()) + ", tag " + std::to_string(a.tag()) + " (there is no such rank: " +
      (n_ranks == 1 ? "0 is the only one" : "there are 0 to " + std::to_string(n_ranks - 1)) +
      "); give it one of those";
  fail_task(external_.pending(event.pending).item, why.c_str());
  return false;
}

template <bool shared>
void Engine<shared>::poll_external(std::vector<Ticket>& tickets) {
  std::size_t n_over = 0;
  for (Ticket& ticket : tickets)
    if ((ticket & external_bit) != 0) {
      ++n_over;
      go_on(ticket & ~external_bit);
      ticket = no_item;
    }
  if (n_over != 0) std::erase(tickets, no_item);
  const auto is_over = [&](const ExternalEvent& event, Request& r) { return test(event, r); };
  if (external_.has_tested())
    external_.test(is_over, [&](const ExternalEvent& event) {
      ++n_over;
      const Item item = external_.pending(event.pending).item;
      if (event.is_awaited)
        go_on(event.pending);
      else if (external_.end_bound(event.pending))
        tickets.push_back(item);
    });
  if (n_over != 0) count_done(n_over);
}

/// Whether a request is over; where its test throws, the run fails, in the name of the task.
template <bool shared>
bool Engine<shared>::test(const ExternalEvent& event, Request& request) {
  const auto fails = [&](const std::string& why) {
    fail_task(external_.pending(event.pending).item,
              ("a request that it waits for " + why).c_str());
    return false;
  };
  try {
    return request.test(request.handle);
  } catch (const RunEnded&) {
    throw;
  } catch (const std::exception& e) {
    return fails("has failed: " + words_of(e));
  } catch (...) {
    return fails("threw something that is not a std::exception");
  }
}

/// Have a suspended task resumed on its owner.
template <bool shared>
void Engine<shared>::go_on(std::uint32_t pending) {
  const Item item = external_.pending(pending).item;
  W& owner = workers_[program_.owner(code_.node(item))];
  if (config_.picker != nullptr) {
    ready_.push_back(pending | external_bit);
    ready_ids_.push_back(node_of(item));
    return;
  }
  {
    const std::lock_guard lock(owner.resumable_mutex);
    owner.resumable.push_back(pending);
    // So that either who sleeps sees this, or who calls it sees that it sleeps.
    owner.has_resumable.store(true, std::memory_order_seq_cst);
  }
  call(owner);
}

template <bool shared>
void Engine<shared>::resume_all(W& worker) {
  if (!worker.has_resumable.load(std::memory_order_acquire)) return;
  {
    const std::lock_guard lock(worker.resumable_mutex);
    std::swap(worker.resumable, worker.resuming);
    worker.has_resumable.store(false, std::memory_order_release);  // for BusyCount
  }
  for (const std::uint32_t pending : worker.resuming) resume(worker, pending);
  worker.resuming.clear();
}

/// Take over one of those from a worker that is inside a body. @return whether there was one
template <bool shared>
bool Engine<shared>::resume_one_of(W& worker, W& busy) {
  if (!busy.has_resumable.load(std::memory_order_acquire)) return false;
  std::uint32_t pending = 0;
  {
    const std::lock_guard lock(busy.resumable_mutex);
    if (busy.resumable.empty()) return false;
    pending = busy.resumable.back();
    busy.resumable.pop_back();
    busy.has_resumable.store(!busy.resumable.empty(), std::memory_order_release);  // the same
  }
  resume(worker, pending);
  return true;
}

template <bool shared>
void Engine<shared>::resume(W& worker, std::uint32_t id) {
  const PendingTask pending = external_.pending(id);
  worker.context.replay_ = replay_of(pending.item);
  worker.running.store(pending.item, std::memory_order_relaxed);
  worker.helped_body.store(Worker::no_body, std::memory_order_relaxed);  // it counts as no task
  const std::int64_t start_ns = worker.state.account.enter(Activity::work);
  if constexpr (shared) worker.proxy_lock.enter_body();
  try {
    pending.frame->resume(worker.context);
  } catch (const std::exception& e) {
    leave_body(worker);
    fail_task(pending.item, words_of(e).c_str());
    return;
  } catch (...) {
    leave_body(worker);
    fail_task(pending.item, "it threw something that is not a std::exception");
    return;
  }
  leave_body(worker);
  const std::int64_t end_ns = worker.state.account.enter(Activity::overhead);
  if (sink_ != nullptr) record_task(worker, pending.item, start_ns, end_ns);
  note_stop(worker, pending.item);
  const bool is_over = external_.keep_pending_again(id, worker.pending);
  publish_pending(worker);
  if (is_over) finish_anywhere(worker, pending.item);
}

}  // namespace thalweg::flow
