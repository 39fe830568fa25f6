// SPDX-License-Identifier: MIT
// The life of runs, nodes and replays; what is done once a task is in engine_node.hpp, looking for
// work in engine_loop.hpp, messages in engine_messages.hpp, what is said when nothing happens in
// engine_stuck.hpp.
#include "engine.hpp"

#include <thalweg/core/contract.hpp>

#include "engine_node.hpp"

#include "engine_external.hpp"

#include "engine_loop.hpp"
#include "engine_messages.hpp"
#include "engine_stuck.hpp"

namespace thalweg::flow {

template <bool shared>
Engine<shared>::Engine(const ExecutorConfig& config, Transport& transport, const Clock& clock,
                       std::deque<WorkerState>& states, std::uint32_t n_workers)
    : config_(config),
      transport_(transport),
      clock_(clock),
      has_communication_thread_(shared && config.progress == Progress::thread),
      park_limit_(static_cast<std::int64_t>(1e9 * config.park_limit_s)),
      watchdog_(config.watchdog_s) {
  for (std::uint32_t w = 0; w < n_workers; ++w) {
    W& worker = workers_.emplace_back(w, states[w]);
    worker.context.pending_ = &worker.pending;
    worker.pending.transport = std::unique_lock(transport_lock_, std::defer_lock);
    worker.pending.bound.reserve(ExternalEvents::n_room);
    worker.resumable.reserve(ExternalEvents::n_room);
    worker.resuming.reserve(ExternalEvents::n_room);
  }
}

template <bool shared>
Engine<shared>::~Engine() {
  forget_prepared();
}

template <bool shared>
void Engine<shared>::begin(Graph& graph, std::uint64_t n_replays,
                           std::optional<std::uint64_t> first_step, detail::TransportClaim& claim) {
  THALWEG_EXPECT(graph.n_nodes() < std::size_t{1} << 27, "too many nodes for the items of queues");
  graph_ = &graph;
  n_replays_ = n_replays;
  first_step_ = first_step;
  claim_ = &claim;
  one_communicates_ = graph.model() == Model::bulk || graph.model() == Model::forkjoin;
  sink_ = workers_[0].state.account.sink();
  is_observed_ = workers_[0].state.account.is_timed();
  n_opened_ = 0;
  n_complete_ = 0;
  n_wanted_ = n_replays;
  n_in_flight_ = 0;
  n_decided_ = 0;
  next_fence_ = 0;
  is_done_ = false;
  is_stopped_ = false;
  failure_.reset();
  watchdog_.reset();
  prepare_program();
  prepare_queues();
  if (sink_ != nullptr) {
    posted_ns_.resize(code_.size());
    done_ns_.resize(has_communication_thread_ ? code_.size() : 0);
  }
  prepare_counters();
}

template <bool shared>
void Engine<shared>::prepare_program() {
  // A program that steps through time runs the same graph again and again.
  const auto known = known_.lock();
  if (known && known == graph_->identity().lock()) return;
  known_.reset();  // until all is there: what follows may run out of memory
  program_ = Program(*graph_, {.n_workers = static_cast<std::uint32_t>(workers_.size()),
                               .honours_priorities = config_.honours_priorities});
  exec_nodes_ = program_.exec_nodes();
  targets_ = program_.targets();
  termination_node_ = no_exec_node;
  for (std::uint32_t t = 0; t < graph_->n_tasks() && graph_->has_termination_node(); ++t)
    if (graph_->node(TaskId(t)).controls_termination)
      termination_node_ = program_.index_of(TaskId(t));
  depth_ = graph_->overlaps() ? config_.depth : 1;
  code_ = detail::ItemCode(program_.size(), depth_ + 1);
  if constexpr (shared) {
    prepare_rings();
    is_short_ = std::vector<std::atomic<bool>>(graph_->names().size());
  }
  // Where a graph has no messages, another run may be inside the transport.
  if (graph_->n_messages() != 0) {
    forget_prepared();
    if (config_.posting == Posting::persistent) prepared_.resize(code_.size());
  }
  known_ = graph_->identity();
}

template <bool shared>
void Engine<shared>::prepare_queues() {
  external_.clear();
  to_receive_.take_all();
  to_send_.take_all();
  ready_.clear();
  ready_ids_.clear();
  if (config_.picker != nullptr) {
    ready_.reserve(graph_->n_nodes() * depth_);
    ready_ids_.reserve(graph_->n_nodes() * depth_);
  }
  if (links_.size() < code_.size()) links_.resize(code_.size());
  is_in_flight_.assign(code_.size(), 0);
  for (W& w : workers_) {
    const NodeRange& range = program_.range(w.index);
    // A picker is offered every task.
    w.first_slow = config_.picker != nullptr ? range.begin : range.first_slow;
    w.ready_stack.reset(std::size_t{range.first_slow - range.begin} * code_.n_slots());
    w.ready_by_priority.reset(program_.n_priority_classes());
    w.completions.take_all();
    while (w.shared.take() != no_item) {
    }
    for (detail::SpscRing* ring : w.in) ring->clear();
    w.wants_to_share = workers_.size() > 1;
    w.seen_bodies.assign(workers_.size(), Worker::no_body);
    w.helped_body = Worker::no_body;
    w.n_to_share = static_cast<std::uint32_t>(workers_.size() - 1);
    w.is_wanted = false;
    w.context.controls_termination_ = w.context.stops_ = false;
    w.pending.any = false;
    w.pending.bound.clear();
    w.pending.suspended = nullptr;
    w.pending.claim = claim_;
    w.resumable.clear();
    w.has_resumable = false;
    w.running = no_item;
    w.tickets.reserve(graph_->n_messages() * depth_ + ExternalEvents::n_room);
  }
}

template <bool shared>
void Engine<shared>::prepare_rings() {
  const std::size_t n = workers_.size();
  std::vector<std::size_t> n_notifications(n * n, 0);
  for (std::uint32_t i = 0; i < program_.size(); ++i)
    for (const Notification& notification :
         program_.notifications(program_.cold_edges(exec_nodes_[i].cold_edges)))
      ++n_notifications[program_.owner(i) * n + notification.to];
  for (W& w : workers_) {
    w.in.clear();
    w.out.assign(n, nullptr);
  }
  std::size_t n_used = 0;
  for (std::size_t from = 0; from < n; ++from)
    for (std::size_t to = 0; to < n; ++to) {
      if (n_notifications[from * n + to] == 0) continue;
      if (n_used == rings_.size()) rings_.push_back(std::make_unique<detail::SpscRing>());
      detail::SpscRing& ring = *rings_[n_used++];
      ring.reset(n_notifications[from * n + to] * code_.n_slots());
      workers_[from].out[to] = &ring;
      workers_[to].in.push_back(&ring);
    }
}

template <bool shared>
void Engine<shared>::prepare_counters() {
  left_.reserve(code_.size());
  for (std::uint32_t slot = 0; slot < code_.n_slots(); ++slot) {
    if (slot > n_replays_) break;  // not even reached by edges to the next replay
    for (std::uint32_t i = 0; i < program_.size(); ++i)
      // Nothing came before replay 0.
      left_[code_.item(slot, i)] = exec_nodes_[i].full - (slot == 0 ? program_.n_past(i) : 0);
    // Nor, for the first tokens, the replay `depth` before.
    if (slot < depth_) --left_[code_.item(slot, program_.token())];
  }
}

template <bool shared>
void Engine<shared>::start() {
  if (n_replays_ == 0 || graph_->n_nodes() == 0) {
    n_complete_ = n_replays_;
    is_done_ = true;
    return;
  }
  if (!graph_->cyclic().empty()) {
    fail(graph_->describe_cycle(first_step_));
    return;
  }
  issue_tokens(workers_[0]);
}

template <bool shared>
Result<RunReport> Engine<shared>::end() {
  if (failure_) return std::unexpected(Failure{*failure_});
  return RunReport{.n_replays = n_complete_.load(), .stopped = is_stopped_.load()};
}

template <bool shared>
void Engine<shared>::make_ready(W& worker, Item item) {
  const std::uint32_t node = code_.node(item);
  // Whatever it is, it is not in the ready stack: look there before the next task of the stack.
  worker.is_wanted.store(true, std::memory_order_relaxed);
  switch (program_.kind(node)) {
    case ExecKind::task:
      if (config_.picker != nullptr) {
        ready_.push_back(item);
        ready_ids_.push_back(program_.node(node));
      } else {
        worker.ready_by_priority.push(program_.priority_class(node), item, links_);
      }
      break;
    case ExecKind::send:
    case ExecKind::recv:
      (program_.kind(node) == ExecKind::recv ? to_receive_ : to_send_).push(item, links_);
      // The worker that makes a message ready posts it itself, if it may.
      if (!may_communicate(worker)) call_communicator();
      break;
    case ExecKind::join:
      finish(worker, item);
      break;
    case ExecKind::token:
      issue_tokens(worker);
      break;
    case ExecKind::end:
      end_replay(worker, item);
      break;
  }
}

template <bool shared>
void Engine<shared>::finish_cold(W& worker, Item item, const ColdEdges& cold_edges) {
  const std::uint32_t slot = code_.slot(item);
  if (code_.node(item) == termination_node_)
    n_decided_.store(replay_of(item) + 1, std::memory_order_relaxed);
  // Others first, who may be waiting.
  if constexpr (shared)
    for (std::uint32_t k = 0; k < cold_edges.n_notifications; ++k) {
      const std::uint32_t notification = cold_edges.first_notification + k;
      const std::uint32_t to = program_.notifications()[notification].to;
      worker.out[to]->send(notification << 3 | slot);
      workers_[to].parker.unpark();
    }
  // The next replay before this one: what this one goes on with comes to lie on top.
  count_down(worker, code_.item(code_.slot_after(slot), 0), targets_ + cold_edges.first_wrap,
             cold_edges.n_wraps);
}

template <bool shared>
void Engine<shared>::return_to_owner(Item item) {
  W& owner = workers_[program_.owner(code_.node(item))];
  owner.completions.push(item, links_);
  call(owner);
}

template <bool shared>
void Engine<shared>::call(W& worker) {
  // Release: who looks sees why.
  worker.is_wanted.store(true, std::memory_order_release);
  worker.parker.unpark();
}

template <bool shared>
void Engine<shared>::fail_task(Item item, const char* why) {
  fail(describe(node_of(item), replay_of(item)) + " failed: " + why);
}

template <bool shared>
void Engine<shared>::issue_tokens(W& worker) {
  // That a token is issued is the first thing the next one waits for. After a task has stopped the
  // run, no more are issued.
  for (Item token = code_.item(code_.slot_of_replay(n_opened_), program_.token());
       n_opened_ < n_replays_ && !is_stopped_.load(std::memory_order_relaxed);) {
    const std::uint32_t slot = code_.slot(token);
    replay_of_slot_[slot].store(n_opened_, std::memory_order_relaxed);
    ++n_opened_;
    finish(worker, token);
    token = code_.item(code_.slot_after(slot), program_.token());
    if (n_opened_ == n_replays_ || --left_[token] != 0) return;
  }
}

template <bool shared>
void Engine<shared>::end_replay(W& worker, Item item) {
  const std::uint64_t replay = replay_of(item);
  left_[item] = exec_nodes_[program_.end()].full;
  const std::uint64_t n_complete = n_complete_.load(std::memory_order_relaxed) + 1;
  n_complete_.store(n_complete, std::memory_order_relaxed);
  if (n_complete == n_wanted_.load(std::memory_order_relaxed)) {
    finish_run();
    return;
  }
  if (replay + depth_ >= n_replays_) return;
  const Item token = code_.item(code_.slot_of_replay(replay + depth_), program_.token());
  if (--left_[token] == 0) issue_tokens(worker);
}

template <bool shared>
void Engine<shared>::fail(std::string message) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::move(message);
  }
  finish_run();
}

template <bool shared>
void Engine<shared>::finish_run() {
  // So that either who sleeps sees this, or who calls it sees that it sleeps.
  is_done_.store(true, std::memory_order_seq_cst);
  for (W& w : workers_) call(w);
  communication_parker_.unpark();
}

template class Engine<false>;
template class Engine<true>;

}  // namespace thalweg::flow
