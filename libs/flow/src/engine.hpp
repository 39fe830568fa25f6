// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <thalweg/flow/detail/item.hpp>
#include <thalweg/flow/detail/mailbox.hpp>
#include <thalweg/flow/detail/spsc_ring.hpp>
#include <thalweg/flow/executor.hpp>

#include "counters.hpp"
#include "external_events.hpp"
#include "monitor.hpp"
#include "program.hpp"
#include "watchdog.hpp"
#include "worker.hpp"

namespace thalweg::flow {

/// Where no node is meant.
inline constexpr std::uint32_t no_exec_node = 0xffffffff;

/// At which beginnings and ends of tasks a worker looks what time it is.
enum class Looks : std::uint8_t {
  none,
  sampled,  ///< where tasks are short, at some (task_sampling.hpp)
  each,     ///< events are told, too, where there is a sink
};

/// Runs one graph at a time; the state of a run and what all workers share.
///
/// Every node has an owner, the worker of its affinity, and only that one touches the node's
/// counter: a plain number. What ends at one worker and is waited for at another is announced there
/// by a notification (program.hpp). A task that another worker has stolen, and a message that
/// another worker saw complete, is returned to its owner to be finished there.
///
/// Replay r uses slot r % (depth + 1) of every counter. A node's counter of that slot is reset when
/// the node is over, for replay r + depth + 1. That is early enough: the first who counts it down
/// for that replay is the token of r + depth + 1, or a node of r + depth through an edge between
/// replays; the token of r + depth is issued only when replay r is complete, this node included.
/// And it is late enough: the node has run, so nobody counts it down for r any more.
///
/// Every node waits, directly or not, for the token of its replay. A token waits for the token
/// before, for the replay `depth` before it to be complete, and for the task that controls
/// termination.
///
/// `shared` is whether there is more than one worker.
template <bool shared>
class Engine {
 public:
  Engine(const ExecutorConfig& config, Transport& transport, const Clock& clock,
         std::deque<WorkerState>& states, std::uint32_t n_workers);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Make everything ready to run a graph.
  /// @param claim held already where the graph has messages
  /// @threads the caller, with no worker inside
  void begin(Graph& graph, std::uint64_t n_replays, std::optional<std::uint64_t> first_step,
             detail::TransportClaim& claim);
  /// Let worker 0 issue the first token; afterwards others may come to work.
  void start();
  /// Be a worker until the run is over.
  void work(std::uint32_t worker);
  /// The loop of the communication thread, until the run is over, with Progress::thread.
  void communicate_until_done();
  std::uint32_t n_workers() const { return static_cast<std::uint32_t>(workers_.size()); }
  /// What the run came to. @threads the caller, with no worker inside
  Result<RunReport> end();
  /// For a monitor of the run. @threads any, between begin() and end()
  Monitor::Subject subject() const;

 private:
  using W = Worker;

  // Life of a node: counted down, ready, run, over. On its owner, but for running.
  [[gnu::always_inline]] void count_down(W& worker, std::uint32_t slot_bits,
                                         const std::uint32_t* target, std::uint32_t n);
  [[gnu::noinline]] void make_ready(W& worker, Item item);
  template <Looks looks>
  [[gnu::always_inline]] bool run(W& worker, Item item, const ExecNode& node);
  template <Looks looks>
  void drain(W& worker);
  bool run_one(W& worker, Item item);
  void note_stop(W& worker, Item item);
  [[gnu::always_inline]] void finish(W& worker, Item item);
  [[gnu::always_inline]] void finish(W& worker, Item item, const ExecNode& node);
  [[gnu::noinline]] void finish_cold(W& worker, Item item, const ColdEdges& cold_edges);
  [[gnu::always_inline]] void leave_body(W& worker);
  void finish_anywhere(W& worker, Item item);
  void return_to_owner(Item item);
  void call(W& worker);

  // Life of a replay. On worker 0.
  void issue_tokens(W& worker);
  void end_replay(W& worker, Item item);

  // Looking for something to do.
  void work_ready(W& worker);
  void work_picked(W& worker);
  bool run_some(W& worker);
  [[gnu::always_inline]] void receive(W& worker);
  void open(W& worker, std::uint32_t code);
  void drain_inbox(W& worker);
  void finish_all(W& worker);
  bool help_others(W& worker);
  void run_apart(W& worker, Item item);
  Item help_blocked(W& worker);
  Item leave_as_proxy(W& worker, W& away);
  Item run_as_proxy(W& worker, W& away);
  bool note_length(Item item, std::int64_t ticks);
  Item take_one(W& owner);
  void share(W& worker);
  Item steal(W& worker);
  void back_off(W& worker, std::uint32_t n_rounds);
  bool may_communicate(const W& worker) const;
  void call_communicator();
  bool has_messages_to_post() const {
    return !to_receive_.is_empty() || !to_send_.is_empty() || external_.has_new();
  }
  /// Whether a worker has notifications to read, or nodes to finish that others have run.
  static bool has_mail(const W& owner) {
    return !owner.completions.is_empty() ||
           std::ranges::any_of(owner.in, [](const auto* ring) { return !ring->is_empty(); });
  }
  bool has_message(Item item) const {
    const ExecKind kind = program_.kind(code_.node(item));
    return kind == ExecKind::send || kind == ExecKind::recv;
  }
  bool progress(W& worker, bool polls);
  void progress_early(W& worker);
  bool communicate(std::vector<Ticket>& tickets, bool polls);
  void fail_communication(std::vector<Ticket>& tickets, const std::string& why);
  void post(Item first, std::int64_t now_ns);
  void count_in_flight(std::int64_t n);
  void count_done(std::size_t n);
  void post_and_poll(std::vector<Ticket>& tickets, bool polls);
  PreparedId prepared(Item item, NodeKind kind, const Message& message);
  void forget_prepared();

  // Tasks that wait for external events.
  [[gnu::noinline]] void keep_pending(W& worker, Item item);
  void publish_pending(W& worker);
  void begin_external();
  bool has_peer(const ExternalEvent& event, const detail::Awaited& a);
  void poll_external(std::vector<Ticket>& tickets);
  bool test(const ExternalEvent& event, Request& request);
  void go_on(std::uint32_t pending);
  void resume_all(W& worker);
  bool resume_one_of(W& worker, W& busy);
  void resume(W& worker, std::uint32_t pending);

  // The end of a run.
  void fail(std::string message);
  [[gnu::noinline]] void fail_task(Item item, const char* why);
  void finish_run();
  bool looks_stuck() const;
  std::string lost_message() const;
  void watch();
  std::uint64_t n_done() const;
  bool is_any_running() const;
  std::string quiet_message(std::int64_t quiet_ns) const;
  std::string describe(TaskId node, std::uint64_t replay) const;
  std::string describe_message(Item item) const;
  std::string describe_external() const;
  std::optional<TaskId> user_after(TaskId message) const;
  TaskId node_of(Item item) const { return program_.node(code_.node(item)); }
  std::uint64_t replay_of(Item item) const {
    return replay_of_slot_[code_.slot(item)].load(std::memory_order_relaxed);
  }
  void record_task(const W& worker, Item item, std::int64_t start_ns, std::int64_t end_ns);
  void record_message(const W& worker, Item item, std::int64_t end_ns);

  void prepare_program();
  void prepare_queues();
  void prepare_rings();
  void prepare_counters();

  ExecutorConfig config_;
  Transport& transport_;
  const Clock& clock_;
  bool needs_fence_ = shared && !can_fence_all_threads();
  bool has_communication_thread_;  ///< whether a thread that is no worker communicates
  std::deque<W> workers_;          // a deque: workers do not move

  // Constant during a run.
  Graph* graph_ = nullptr;
  std::weak_ptr<const void> known_;  ///< the graph that the program was made of
  Program program_;
  const ExecNode* exec_nodes_ = nullptr;
  const std::uint32_t* targets_ = nullptr;
  std::uint64_t n_replays_ = 0;
  std::optional<std::uint64_t> first_step_;
  std::uint32_t depth_ = 1;
  std::uint32_t termination_node_ = no_exec_node;
  detail::ItemCode code_;
  bool one_communicates_ = false;
  bool is_observed_ = false;
  trace::Sink* sink_ = nullptr;  ///< where the events of this run go
  std::vector<std::unique_ptr<detail::SpscRing>> rings_;

  Counters left_;  ///< of item: what it still waits for
  /// Of name: whether the last task was short that ran for another worker. Only where workers
  /// share.
  std::vector<std::atomic<bool>> is_short_;
  /// Ticks, before which no idle worker becomes a proxy.
  std::atomic<std::int64_t> next_fence_{0};
  /// Atomic for the monitor, which looks at any moment.
  std::vector<std::atomic<std::uint64_t>> replay_of_slot_ =
      std::vector<std::atomic<std::uint64_t>>(8);
  std::uint64_t n_opened_ = 0;                ///< replays; for worker 0
  std::atomic<std::uint64_t> n_complete_{0};  ///< written by worker 0
  std::atomic<std::uint64_t> n_wanted_{0};    ///< replays; fewer when a task has stopped the run
  std::atomic<std::uint64_t> n_decided_{
      0};                                ///< replays whose task that controls termination has run
  std::atomic<bool> is_stopped_{false};  ///< by the task that controls termination
  alignas(64) std::atomic<bool> is_done_{false};

  // Messages: whoever holds `transport_lock_` posts and polls.
  std::vector<Item> links_;
  detail::Mailbox to_receive_;
  detail::Mailbox to_send_;
  alignas(64) detail::TransportLock transport_lock_;
  std::atomic<std::int64_t> n_in_flight_{0};
  std::atomic<std::uint64_t> n_messages_done_{0};
  std::vector<std::uint8_t> is_in_flight_;           ///< of item; for whoever holds the transport
  std::vector<std::int64_t> posted_ns_;              ///< of item; only where events are recorded
  std::vector<std::int64_t> done_ns_;                ///< the same, with a thread that communicates
  std::vector<std::optional<PreparedId>> prepared_;  ///< of item; kept until others are needed
  detail::TransportClaim* claim_ = nullptr;          ///< of the run
  ExternalEvents external_;
  BusyCount serving_;  ///< of the thread that communicates and is no worker
  detail::Parker communication_parker_;

  // With a picker.
  std::vector<Item> ready_;
  std::vector<TaskId> ready_ids_;

  std::chrono::nanoseconds park_limit_;
  Watchdog watchdog_;  ///< of worker 0
  std::mutex failure_mutex_;
  std::optional<std::string> failure_;
};

/// Bytes that an engine takes for a graph, but for what goes from worker to worker.
std::size_t bytes_to_run(const Graph& graph, const ExecutorConfig& config);

extern template class Engine<false>;
extern template class Engine<true>;

}  // namespace thalweg::flow
