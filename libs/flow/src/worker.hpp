// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/flow/detail/deque.hpp>
#include <thalweg/flow/detail/mailbox.hpp>
#include <thalweg/flow/detail/parker.hpp>
#include <thalweg/flow/detail/ready_queue.hpp>
#include <thalweg/flow/detail/spsc_ring.hpp>
#include <thalweg/flow/task.hpp>

#include "busy_count.hpp"
#include "proxy_lock.hpp"
#include "worker_state.hpp"

namespace thalweg::flow {

using detail::Item;
using detail::no_item;

/// One thread's part of an engine.
///
/// What is ready lies where the worker alone sees it, except for a little that it puts out for
/// others to steal. So a worker with enough to do takes no atomic read-modify-write for it.
struct alignas(64) Worker {
  Worker(std::uint32_t worker_index, WorkerState& worker_state)
      : index(worker_index),
        state(worker_state),
        context(worker_index, 0, worker_state.scratch, false),
        random(worker_index) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::uint32_t index;
  std::uint32_t first_slow = 0;  ///< its first node that takes the slow path
  WorkerState& state;
  TaskContext context;              ///< of the task that runs
  detail::PendingRequests pending;  ///< what its task waits for
  detail::ReadyStack ready_stack;
  detail::ReadyByPriority ready_by_priority;
  bool wants_to_share = false;   ///< nothing lies out for others
  std::uint32_t n_to_share = 1;  ///< how many are put out next
  std::vector<detail::SpscRing*> in;
  std::vector<detail::SpscRing*> out;  ///< by worker; null where no notification goes
  std::vector<Ticket> tickets;
  SplitMix64 random;

  /// Which body it is in, or after which it has backed off; what others see of it is seen again
  /// only after a while in which it did nothing else.
  std::uint64_t body() const {
    return state.account.n_tasks() << 32 | running.load(std::memory_order_relaxed);
  }
  static constexpr std::uint64_t no_body = ~std::uint64_t{0};

  ProxyLock proxy_lock;  ///< for others to schedule in its place while it is inside a body
  std::atomic<std::uint64_t> helped_body{no_body};  ///< in which a proxy has left nothing to do
  std::vector<std::uint64_t> seen_bodies;           ///< of each other worker

  // Written by others now and then, looked at by the worker after each task.
  alignas(64) std::atomic<bool> is_wanted{false};  ///< a thief was here, or something is over
  detail::Mailbox completions;                     ///< its nodes that others have seen the end of
  detail::Deque shared;                            ///< its tasks that others may take
  detail::Parker parker;
  std::mutex resumable_mutex;
  std::vector<std::uint32_t> resumable;  ///< its tasks that may go on, by number of pending task
  std::atomic<bool> has_resumable{false};
  std::vector<std::uint32_t> resuming;  ///< the worker's own

  // Written by the worker, looked at by others now and then.
  alignas(64) std::atomic<Item> running{no_item};  ///< until it has found nothing to follow it
  BusyCount busy;  ///< while it has an item, or may be about to take one
};

}  // namespace thalweg::flow
