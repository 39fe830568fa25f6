// SPDX-License-Identifier: MIT
// The life of runs, nodes and replays; looking for work is in engine_loop.hpp, what is said when
// there is none in engine_stuck.hpp.
#include "engine.hpp"

#include <thalweg/core/contract.hpp>

#include "engine_loop.hpp"
#include "engine_stuck.hpp"

namespace thalweg::flow {

template <bool shared>
Engine<shared>::Engine(const ExecutorConfig& config, Transport& transport, const Clock& clock,
                       std::deque<Seat>& seats)
    : config_(config), transport_(transport), clock_(clock), watchdog_(config.watchdog_s) {
  const std::uint32_t n = shared ? config.n_workers : 1;
  for (std::uint32_t w = 0; w < n; ++w) workers_.emplace_back(w, seats[w]);
}

template <bool shared>
void Engine<shared>::begin(Graph& graph, std::uint64_t n_replays,
                           std::optional<std::uint64_t> first_step) {
  THALWEG_EXPECT(graph.n_nodes() < std::size_t{1} << 28, "too many nodes for the items of queues");
  graph_ = &graph;
  n_replays_ = n_replays;
  first_step_ = first_step;
  depth_ = graph.overlaps() ? config_.depth : 1;
  one_communicates_ = graph.model() == Model::bulk || graph.model() == Model::forkjoin;
  code_ = detail::ItemCode(graph.n_nodes(), depth_ + 1);
  n_complete_ = 0;
  n_wanted_ = n_replays;
  n_in_flight_ = 0;
  n_decided_ = 0;
  is_done_ = false;
  is_stopped_ = false;
  failure_.reset();
  watchdog_.reset();
  to_receive_.take_all();
  to_send_.take_all();
  ready_.clear();
  ready_ids_.clear();
  ready_.reserve(graph.n_nodes() * depth_);
  ready_ids_.reserve(graph.n_nodes() * depth_);
  if (links_.size() < code_.size()) links_.resize(code_.size());
  is_in_flight_.assign(code_.size(), 0);
  for (W& w : workers_) {
    w.urgent.clear();
    w.normal.clear();
    w.next = no_item;
    w.running = no_item;
    w.tickets.reserve(graph.n_messages() * depth_);
  }
  if (config_.sink != nullptr) posted_ns_.resize(code_.size());
  prepare_counters();
  if constexpr (shared) prepare_homes();
}

template <bool shared>
void Engine<shared>::prepare_counters() {
  const auto n = static_cast<std::uint32_t>(graph_->n_nodes());
  full_.resize(n);
  node_left_.reserve(code_.size());
  for (std::uint32_t t = 0; t < n; ++t) {
    const std::uint32_t n_intra = graph_->n_predecessors(TaskId(t));
    full_[t] = n_intra + graph_->n_wrap_predecessors(TaskId(t)) + (n_intra == 0 ? 1 : 0);
  }
  for (std::uint32_t slot = 0; slot < code_.n_slots(); ++slot) {
    if (slot > n_replays_) break;  // not even reached by edges to the next replay
    for (std::uint32_t t = 0; t < n; ++t) {
      // Nothing came before replay 0.
      const std::uint32_t n_past = slot == 0 ? graph_->n_wrap_predecessors(TaskId(t)) : 0;
      node_left_[code_.item(slot, t)].store(full_[t] - n_past, std::memory_order_relaxed);
    }
  }
  const std::uint32_t n_decisions = graph_->has_decider() ? 1 : 0;
  for (std::uint32_t slot = 0; slot < code_.n_slots(); ++slot) {
    sinks_left_[slot] = static_cast<std::uint32_t>(graph_->n_sinks());
    // The gate before, the decision, and the replay `depth` before where there is one.
    gate_left_[slot] = slot == 0 ? 1 : 1 + n_decisions + (slot < depth_ ? 0 : 1);
  }
}

template <bool shared>
void Engine<shared>::prepare_homes() {
  const auto n_workers = static_cast<std::uint64_t>(workers_.size());
  homes_.assign(graph_->n_nodes(), any_home);
  for (std::uint32_t t = 0; t < graph_->n_tasks(); ++t) {
    const Node& node = graph_->node(TaskId(t));
    if (node.kind != NodeKind::task) continue;
    if (node.home_worker) {
      homes_[t] = static_cast<std::uint32_t>(*node.home_worker % n_workers);
    } else if (graph_->n_phases() > 1) {
      // Equal parts of each phase: phases that go over the same blocks find them where they were.
      const Graph::Position at = graph_->position(TaskId(t));
      homes_[t] = static_cast<std::uint32_t>(at.index * n_workers / at.n_tasks);
    } else {
      homes_[t] = static_cast<std::uint32_t>(t / n_tasks_in_row % n_workers);
    }
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
    fail(cycle_message());
    return;
  }
  count_gate(workers_[0], 0);
}

template <bool shared>
Result<RunReport> Engine<shared>::end() {
  if (failure_) return std::unexpected(Failure{*failure_});
  const std::uint64_t n_done = n_complete_.load();
  return RunReport{.n_replays = n_done, .stopped = is_stopped_};
}

template <bool shared>
void Engine<shared>::make_ready(W& worker, Item item) {
  const std::uint32_t t = code_.node(item);
  const Node& node = graph_->node(TaskId(t));
  if (node.is_message()) {
    (node.kind == NodeKind::recv ? to_receive_ : to_send_).push(item, links_);
    // The worker that makes a message ready posts it itself, if it may.
    if (!may_communicate(worker)) workers_[0].parker.unpark();
    return;
  }
  if (config_.picker != nullptr) {
    ready_.push_back(item);
    ready_ids_.emplace_back(t);
    return;
  }
  const bool is_urgent = node.priority > 0 || node.kind == NodeKind::barrier;
  if constexpr (shared) {
    if (homes_[t] != any_home && homes_[t] != worker.index) {
      W& home = workers_[homes_[t]];
      (is_urgent ? home.urgent : home.normal).mail(item, links_);
      home.parker.unpark();
      return;
    }
  }
  if (is_urgent) {
    worker.urgent.push(item, links_);
    return;
  }
  if (worker.next != no_item) {
    worker.normal.push(worker.next, links_);
    if constexpr (shared) wake_one();
  }
  worker.next = item;
}

template <bool shared>
void Engine<shared>::execute(W& worker, Item item) {
  const std::uint32_t t = code_.node(item);
  const std::uint64_t replay = replay_of(item);
  const Node& node = graph_->node(TaskId(t));
  node_left_[item].store(full_[t], std::memory_order_relaxed);
  if (node.kind == NodeKind::barrier) {
    finish(worker, item);
    return;
  }
  TaskContext context(worker.index, replay, worker.seat.scratch, node.decides);
  worker.running.store(item, std::memory_order_relaxed);
  const std::int64_t start_ns = worker.seat.account.enter(Activity::work);
  try {
    node.invoke(node.body, context);
  } catch (const std::exception& e) {
    fail(describe(t, replay) + " failed: " + e.what());
    return;
  } catch (...) {
    fail(describe(t, replay) + " failed: it threw something that is not a std::exception");
    return;
  }
  const std::int64_t end_ns = worker.seat.account.enter(Activity::overhead);
  worker.seat.account.count_task();
  if (worker.seat.account.sink() != nullptr) record_task(worker, t, replay, start_ns, end_ns);
  if (node.decides) decide(worker, replay, context);
  finish(worker, item);
}

template <bool shared>
void Engine<shared>::finish(W& worker, Item item) {
  const TaskId id(code_.node(item));
  const std::uint32_t slot = code_.slot(item);
  const std::uint32_t next_slot = code_.slot_after(slot);
  // The next replay first: what this one goes on with comes to lie on top.
  for (const std::uint32_t s : graph_->wrap_successors(id)) {
    const Item successor = code_.item(next_slot, s);
    if (count_down<shared>(node_left_[successor])) make_ready(worker, successor);
  }
  const auto successors = graph_->successors(id);
  for (const std::uint32_t s : successors) {
    const Item successor = code_.item(slot, s);
    if (count_down<shared>(node_left_[successor])) make_ready(worker, successor);
  }
  if (successors.empty()) count_sink(worker, slot);
  if constexpr (shared)
    worker.n_finished.store(worker.n_finished.load(std::memory_order_relaxed) + 1,
                            std::memory_order_release);
}

template <bool shared>
void Engine<shared>::count_gate(W& worker, std::uint64_t replay) {
  const std::uint32_t n_full = 2 + (graph_->has_decider() ? 1 : 0);
  // Opening a gate is the first thing the next one waits for.
  for (; replay < n_replays_; ++replay) {
    const std::uint32_t slot = code_.slot_of_replay(replay);
    if (!count_down<shared>(gate_left_[slot])) return;
    gate_left_[slot].store(n_full, std::memory_order_relaxed);
    replay_of_slot_[slot].store(replay, std::memory_order_relaxed);
    for (const std::uint32_t source : graph_->sources()) {
      const Item item = code_.item(slot, source);
      if (count_down<shared>(node_left_[item])) make_ready(worker, item);
    }
  }
}

template <bool shared>
void Engine<shared>::count_sink(W& worker, std::uint32_t slot) {
  // Every node leads to a node that leads nowhere: when those are done, the replay is.
  if (!count_down<shared>(sinks_left_[slot])) return;
  const std::uint64_t replay = replay_of_slot_[slot].load(std::memory_order_relaxed);
  sinks_left_[slot].store(static_cast<std::uint32_t>(graph_->n_sinks()), std::memory_order_relaxed);
  const std::uint64_t n_complete = n_complete_.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (n_complete == n_wanted_.load(std::memory_order_relaxed)) {
    finish_run();
    return;
  }
  count_gate(worker, replay + depth_);
}

template <bool shared>
void Engine<shared>::decide(W& worker, std::uint64_t replay, const TaskContext& context) {
  n_decided_.store(replay + 1, std::memory_order_relaxed);
  // The gates after this one stay shut, so this is the last replay; it is not complete before this
  // task is, and whoever counts it complete has seen the number.
  if (!context.is_stop_requested()) {
    count_gate(worker, replay + 1);
    return;
  }
  is_stopped_ = true;
  n_wanted_.store(replay + 1, std::memory_order_relaxed);
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
  is_done_.store(true, std::memory_order_release);
  for (W& w : workers_) w.parker.unpark();
}

template class Engine<false>;
template class Engine<true>;

}  // namespace thalweg::flow
