// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/flow/detail/item.hpp>
#include <thalweg/flow/detail/parker.hpp>
#include <thalweg/flow/detail/ready_queue.hpp>
#include <thalweg/flow/executor.hpp>

#include "account.hpp"
#include "counters.hpp"
#include "monitor.hpp"
#include "seat.hpp"
#include "watchdog.hpp"

namespace thalweg::flow {

using detail::Item;
using detail::no_item;

/// Nodes without a home stay with whoever makes them ready.
inline constexpr std::uint32_t any_home = 0xffffffff;
/// Tasks recorded one after another that share a home, where there are no phases.
inline constexpr std::uint32_t n_tasks_in_row = 8;

/// One thread's part of an engine.
template <bool shared>
struct alignas(64) Worker {
  Worker(std::uint32_t worker_index, Seat& worker_seat)
      : index(worker_index), seat(worker_seat), random(worker_index) {}

  detail::ReadyQueue<shared> urgent;
  detail::ReadyQueue<shared> normal;
  Item next = no_item;  ///< the successor released last: its data are in our cache
  std::uint32_t index;
  std::uint32_t n_since_poll = 0;
  Seat& seat;
  std::vector<Ticket> tickets;
  SplitMix64 random;
  detail::Parker parker;
  std::atomic<Item> running{no_item};  ///< a task, until the worker has found nothing to follow it
  std::atomic<bool> is_busy{false};    ///< has an item, or may be about to take one
  std::atomic<std::uint64_t> n_finished{0};
};

/// Runs one graph at a time; the state of a run and what all workers share.
///
/// Replay r uses slot r % (depth + 1) of every counter. A node resets its counter of that slot when
/// it starts, for replay r + depth + 1. That is early enough: the first who counts it down for that
/// replay is the gate of r + depth + 1, or a node of r + depth through an edge between replays; the
/// gate of r + depth opens only when replay r is complete, this node included. And it is late
/// enough: the node has started, so nobody counts it down for r any more.
///
/// Every node waits, directly or not, for the gate of its replay. A gate waits for the gate before,
/// for the replay `depth` before it to be complete, and for the task that decides about it. Gates
/// are counted down like nodes, so no lock is taken from one replay to the next.
///
/// `shared` is whether there is more than one worker.
template <bool shared>
class Engine {
 public:
  Engine(const ExecutorConfig& config, Transport& transport, const Clock& clock,
         std::deque<Seat>& seats);

  /// Make everything ready to run a graph. @threads the caller, with no worker inside
  void begin(Graph& graph, std::uint64_t n_replays, std::optional<std::uint64_t> first_step);
  /// Let worker 0 open the first gate; afterwards others may come to work.
  void start();
  /// Be a worker until the run is over.
  void work(std::uint32_t worker);
  /// What the run came to. @threads the caller, with no worker inside
  Result<RunReport> end();
  /// For a monitor of the run. @threads any, between begin() and end()
  Monitor::Subject subject() const;

 private:
  using W = Worker<shared>;

  // Life of a node.
  void make_ready(W& worker, Item item);
  void execute(W& worker, Item item);
  void finish(W& worker, Item item);

  // Life of a replay.
  void count_gate(W& worker, std::uint64_t replay);
  void count_sink(W& worker, std::uint32_t slot);
  void decide(W& worker, std::uint64_t replay, const TaskContext& context);

  // Looking for something to do.
  Item find(W& worker);
  Item steal(W& worker);
  void work_picked(W& worker);
  void wake_one();
  void rest(W& worker, std::uint32_t n_rounds);
  bool may_communicate(const W& worker) const;
  bool progress(W& worker, bool polls);
  void post(Item first, std::int64_t now_ns);
  void count_in_flight(std::int64_t n);
  void post_and_poll(W& worker, bool polls);

  // The end of a run.
  void fail(std::string message);
  void finish_run();
  bool looks_stuck() const;
  std::string cycle_message() const;
  std::string lost_message() const;
  void watch();
  std::uint64_t n_done() const;
  bool is_any_running() const;
  std::string quiet_message(std::int64_t quiet_ns) const;
  std::string describe(std::uint32_t node, std::uint64_t replay) const;
  std::string describe_message(Item item) const;
  std::optional<TaskId> user_after(TaskId message) const;
  std::uint64_t replay_of(Item item) const {
    return replay_of_slot_[code_.slot(item)].load(std::memory_order_relaxed);
  }
  void record_task(const W& worker, std::uint32_t node, std::uint64_t replay, std::int64_t start_ns,
                   std::int64_t end_ns);
  void record_message(const W& worker, Item item, std::int64_t end_ns);

  void prepare_counters();
  void prepare_homes();

  ExecutorConfig config_;
  Transport& transport_;
  const Clock& clock_;
  std::deque<W> workers_;  // a deque: workers do not move

  // Constant during a run.
  Graph* graph_ = nullptr;
  std::uint64_t n_replays_ = 0;
  std::optional<std::uint64_t> first_step_;
  std::uint32_t depth_ = 1;
  detail::ItemCode code_;
  bool one_communicates_ = false;
  std::vector<std::uint32_t> full_;   ///< of node t: all that it waits for
  std::vector<std::uint32_t> homes_;  ///< of node t: the worker it is sent to, or any_home

  // Counted down during a run.
  Counters node_left_;  ///< of item: what it still waits for
  std::vector<Counter> gate_left_ = std::vector<Counter>(8);
  std::vector<Counter> sinks_left_ = std::vector<Counter>(8);
  /// Atomic for the monitor, which looks at any moment.
  std::vector<std::atomic<std::uint64_t>> replay_of_slot_ =
      std::vector<std::atomic<std::uint64_t>>(8);
  alignas(64) std::atomic<std::uint64_t> n_complete_{0};
  std::atomic<std::uint64_t> n_wanted_{0};  ///< replays; fewer when a task has stopped the run
  alignas(64) std::atomic<bool> is_done_{false};

  // Messages: whoever holds `transport_taken_` posts and polls.
  std::vector<Item> links_;
  detail::Mailbox to_receive_;
  detail::Mailbox to_send_;
  alignas(64) std::atomic<bool> transport_taken_{false};
  std::atomic<std::int64_t> n_in_flight_{0};
  std::atomic<std::uint64_t> n_messages_done_{0};
  std::vector<std::uint8_t> is_in_flight_;  ///< of item; for whoever holds the transport
  std::vector<std::int64_t> posted_ns_;     ///< of item; only where events are recorded

  // With a picker.
  std::vector<Item> ready_;
  std::vector<TaskId> ready_ids_;

  std::atomic<std::uint32_t> n_parked_{0};
  std::atomic<std::uint64_t> n_decided_{0};  ///< replays whose deciding task has run
  bool is_stopped_ = false;                  ///< written by the deciding task alone
  Watchdog watchdog_;                        ///< of worker 0
  std::mutex failure_mutex_;
  std::optional<std::string> failure_;
};

extern template class Engine<false>;
extern template class Engine<true>;

}  // namespace thalweg::flow
