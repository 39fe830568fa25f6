// SPDX-License-Identifier: MIT
// The part of engine.cpp that runs once a task: what is said here is paid for each time.
#pragma once
#include <thalweg/core/exception_words.hpp>

#include "engine.hpp"

namespace thalweg::flow {

template <bool shared>
inline void Engine<shared>::count_down(W& worker, std::uint32_t slot_bits,
                                       const std::uint32_t* target, std::uint32_t n) {
  std::uint32_t* const left = left_.data() + slot_bits;
  for (const std::uint32_t* const last = target + n; target != last; ++target) {
    const std::uint32_t t = *target;
    if (--left[t] != 0) continue;
    if (t < worker.first_slow) [[likely]]
      worker.ready_stack.push(slot_bits + t);
    else
      make_ready(worker, slot_bits + t);
  }
}

template <bool shared>
inline void Engine<shared>::finish(W& worker, Item item) {
  finish(worker, item, exec_nodes_[code_.node(item)]);
}

template <bool shared>
inline void Engine<shared>::finish(W& worker, Item item, const ExecNode& node) {
  left_[item] = node.full;
  if (node.cold_edges != 0) finish_cold(worker, item, program_.cold_edges(node.cold_edges));
  const std::uint32_t n = node.n_targets;
  const bool is_inline = n <= ExecNode::n_inline;
  count_down(worker, code_.first(item), is_inline ? node.targets : targets_ + node.targets[0], n);
}

template <bool shared>
inline void Engine<shared>::leave_body(W& worker) {
  if constexpr (shared) worker.proxy_lock.leave_body(needs_fence_);
}

template <bool shared>
template <Looks looks>
inline bool Engine<shared>::run(W& worker, Item item, const ExecNode& node) {
  worker.context.replay_ = replay_of(item);
  worker.running.store(item, std::memory_order_relaxed);
  std::int64_t start_ns = 0;
  if constexpr (looks == Looks::sampled) worker.state.account.begin_sampled_task();
  if constexpr (looks == Looks::each) start_ns = worker.state.account.enter(Activity::work);
  if constexpr (shared) worker.proxy_lock.enter_body();
  try {
    node.invoke(node.body, worker.context);
  } catch (const std::exception& e) {
    leave_body(worker);
    fail_task(item, words_of(e).c_str());
    return false;
  } catch (...) {
    leave_body(worker);
    fail_task(item, "it threw something that is not a std::exception");
    return false;
  }
  leave_body(worker);
  if constexpr (looks == Looks::sampled) worker.state.account.end_sampled_task();
  if constexpr (looks == Looks::each) {
    const std::int64_t end_ns = worker.state.account.enter(Activity::overhead);
    if (sink_ != nullptr) record_task(worker, item, start_ns, end_ns);
  }
  worker.state.account.count_task();
  if (worker.pending.any) [[unlikely]] {
    keep_pending(worker, item);
    return false;
  }
  return true;
}

template <bool shared>
inline void Engine<shared>::receive(W& worker) {
  for (detail::SpscRing* ring : worker.in)
    ring->receive([&](std::uint32_t code) { open(worker, code); });
}

template <bool shared>
template <Looks looks>
void Engine<shared>::drain(W& worker) {
  // Until something else is to be looked at: what comes of a task says so, and so do others.
  const ExecNode* const exec_nodes = exec_nodes_;
  const detail::ItemCode code = code_;
  const bool takes_last = config_.runs_successor_next;
  const bool looks_each_time = config_.progress == Progress::task_boundary;
  do {
    const Item item = takes_last ? worker.ready_stack.pop_last() : worker.ready_stack.pop_first();
    const ExecNode& node = exec_nodes[code.node(item)];
    if (!run<looks>(worker, item, node)) break;
    finish(worker, item, node);
    if constexpr (shared) {
      receive(worker);
      if (worker.wants_to_share && worker.ready_stack.size() > 1) break;
    }
  } while (!worker.ready_stack.is_empty() && !looks_each_time &&
           !worker.is_wanted.load(std::memory_order_relaxed));
  if constexpr (looks == Looks::sampled) worker.state.account.end_sampled_tasks();
}

}  // namespace thalweg::flow
