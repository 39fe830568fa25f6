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
#include <thalweg/flow/detail/pipe.hpp>
#include <thalweg/flow/detail/ready_queue.hpp>
#include <thalweg/flow/task.hpp>

#include "minding.hpp"
#include "seat.hpp"

namespace thalweg::flow {

using detail::Item;
using detail::no_item;

/// What an idle worker saw another one do: the same again has taken a while.
struct Glimpse {
  Item running = no_item;
  std::uint64_t n_tasks = 0;
  bool is_minded = false;        ///< it has minded the other's home meanwhile
  bool has_short_tasks = false;  ///< the other's home, as far as this worker has run some
};

/// One thread's part of an engine.
///
/// What is ready lies where the worker alone sees it, except for a little that it puts out for
/// others to steal. So a worker with enough to do takes no atomic read-modify-write for it.
struct alignas(64) Worker {
  Worker(std::uint32_t worker_index, Seat& worker_seat)
      : index(worker_index),
        seat(worker_seat),
        context(worker_index, 0, worker_seat.scratch, false),
        random(worker_index) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::uint32_t index;
  std::uint32_t special = 0;  ///< its first step that does not go to the row
  Seat& seat;
  TaskContext context;  ///< of the task that runs
  detail::Holds holds;  ///< what it says of itself
  detail::ReadyRow row;
  detail::ReadyLevels levels;
  bool wants_to_share = false;   ///< nothing lies out for others
  std::uint32_t n_to_share = 1;  ///< how many are put out next
  std::vector<detail::Pipe*> in;
  std::vector<detail::Pipe*> out;  ///< by home; null where no letter goes
  std::vector<Ticket> tickets;
  SplitMix64 random;

  Minding minding;                ///< of its home, by others, while it is inside a body
  std::vector<Glimpse> glimpses;  ///< of each other worker

  // Written by others now and then, looked at by the worker after each task.
  alignas(64) std::atomic<bool> is_wanted{false};  ///< a thief was here, or something is over
  detail::Mailbox over;                            ///< its steps that others have seen the end of
  detail::Deque shared;                            ///< its tasks that others may take
  detail::Parker parker;
  std::mutex resumable_mutex;
  std::vector<std::uint32_t> resumable;  ///< its tasks that may go on, by number of held task
  std::atomic<bool> has_resumable{false};
  std::vector<std::uint32_t> resuming;  ///< the worker's own

  // Written by the worker, looked at by others now and then.
  alignas(64) std::atomic<Item> running{no_item};  ///< until it has found nothing to follow it
  std::atomic<bool> is_busy{false};                ///< has an item, or may be about to take one
};

}  // namespace thalweg::flow
