// SPDX-License-Identifier: MIT
// The part of engine.cpp that runs once a task: what is said here is paid for each time.
#pragma once
#include "engine.hpp"

namespace thalweg::flow {

template <bool shared>
inline void Engine<shared>::count_down(W& worker, std::uint32_t slot_bits,
                                       const std::uint32_t* target, std::uint32_t n) {
  std::uint32_t* const left = left_.data() + slot_bits;
  for (const std::uint32_t* const last = target + n; target != last; ++target) {
    const std::uint32_t t = *target;
    if (--left[t] != 0) continue;
    if (t < worker.special) [[likely]]
      worker.row.push(slot_bits + t);
    else
      make_ready(worker, slot_bits + t);
  }
}

template <bool shared>
inline void Engine<shared>::finish(W& worker, Item item) {
  finish(worker, item, steps_[code_.node(item)]);
}

template <bool shared>
inline void Engine<shared>::finish(W& worker, Item item, const Step& step) {
  left_[item] = step.full;
  if (step.extra != 0) finish_more(worker, item, program_.extra(step.extra));
  const std::uint32_t n = step.n_targets;
  const bool is_inline = n <= Step::n_inline;
  count_down(worker, code_.first(item), is_inline ? step.targets : targets_ + step.targets[0], n);
}

template <bool shared>
inline void Engine<shared>::leave_body(W& worker) {
  if constexpr (shared) worker.minding.leave_body(needs_fence_);
}

template <bool shared>
template <bool observed>
inline bool Engine<shared>::run(W& worker, Item item, const Step& step) {
  worker.context.replay_ = replay_of(item);
  worker.running.store(item, std::memory_order_relaxed);
  std::int64_t start_ns = 0;
  if constexpr (observed) start_ns = worker.seat.account.enter(Activity::work);
  if constexpr (shared) worker.minding.enter_body();
  try {
    step.invoke(step.body, worker.context);
  } catch (const std::exception& e) {
    leave_body(worker);
    fail_task(item, e.what());
    return false;
  } catch (...) {
    leave_body(worker);
    fail_task(item, "it threw something that is not a std::exception");
    return false;
  }
  leave_body(worker);
  if constexpr (observed) {
    const std::int64_t end_ns = worker.seat.account.enter(Activity::overhead);
    if (sink_ != nullptr) record_task(worker, item, start_ns, end_ns);
  }
  worker.seat.account.count_task();
  if (worker.holds.any) [[unlikely]] {
    hold(worker, item);
    return false;
  }
  return true;
}

template <bool shared>
inline void Engine<shared>::receive(W& worker) {
  for (detail::Pipe* pipe : worker.in)
    pipe->receive([&](std::uint32_t code) { open(worker, code); });
}

template <bool shared>
template <bool observed>
void Engine<shared>::drain(W& worker) {
  // Until something else is to be looked at: what comes of a task says so, and so do others.
  const Step* const steps = steps_;
  const detail::ItemCode code = code_;
  const bool takes_last = config_.runs_successor_next;
  const bool looks_each_time = config_.progress == Progress::task_boundary;
  do {
    const Item item = takes_last ? worker.row.pop_last() : worker.row.pop_first();
    const Step& step = steps[code.node(item)];
    if (!run<observed>(worker, item, step)) return;
    finish(worker, item, step);
    if constexpr (shared) {
      receive(worker);
      if (worker.wants_to_share && worker.row.size() > 1) return;
    }
  } while (!worker.row.is_empty() && !looks_each_time &&
           !worker.is_wanted.load(std::memory_order_relaxed));
}

}  // namespace thalweg::flow
