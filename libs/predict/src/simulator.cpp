// SPDX-License-Identifier: MIT
#include "simulator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

#include "duration.hpp"

namespace thalweg::predict {

using flow::NodeKind;
using trace::IdleCause;

namespace {

/// Replays whose nodes are counted down at once.
std::uint32_t n_slots_of(const RankGraph& graph, const Scenario& scenario) {
  return (graph.overlaps ? scenario.depth : 1) + 1;
}

}  // namespace

double SimulatedRun::step_ns() const {
  return static_cast<double>(total_ns()) / static_cast<double>(step_end_ns.size());
}

SimulatedRun simulate(const Job& job, const Machine& machine, const Scenario& scenario) {
  THALWEG_EXPECT(scenario.n_steps > 0, "a run has a step");
  THALWEG_EXPECT(scenario.depth > 0 && scenario.depth < 8, "replays in flight: 1 to 7");
  THALWEG_EXPECT(scenario.name_factors.empty() || scenario.name_factors.size() == job.names.size(),
                 "a factor for each name, or none");
  THALWEG_EXPECT(scenario.rank_factors.empty() || scenario.rank_factors.size() == job.ranks.size(),
                 "a factor for each rank, or none");
  return Simulator(job, machine, scenario).run();
}

std::size_t bytes_to_simulate(const Job& job, const Scenario& scenario) {
  constexpr std::size_t n_items = 4;  // in each list, with what it has grown beyond them
  const std::size_t of_worker = sizeof(SimWorker) + sizeof(trace::WorkerTiling) +
                                sizeof(std::uint32_t) + sizeof(TwoEnded<SimItem>) +
                                n_items * (sizeof(SimItem) + sizeof(SimEvent));
  constexpr std::size_t of_rank =
      sizeof(SimRank) + n_items * (2 * sizeof(SimItem) + sizeof(Notice));
  std::size_t bytes = job.connections.size() * sizeof(SimConnection);
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    const RankGraph& graph = job.graph_of(r);
    bytes += of_rank + job.n_workers * of_worker +
             graph.n_nodes() * n_slots_of(graph, scenario) * sizeof(std::uint32_t);
  }
  return bytes;
}

Simulator::Simulator(const Job& job, const Machine& machine, const Scenario& scenario)
    : job_(job),
      machine_(machine),
      scenario_(scenario),
      network_(machine, job.ranks.size()),
      memory_(job, machine),
      own_overhead_ns_(std::llround(machine.task_overhead_ns)),
      steal_overhead_ns_(std::llround(machine.task_overhead_ns + machine.steal_ns)),
      idle_(job.ranks.size(), job.n_workers, true),
      with_tasks_(job.ranks.size(), job.n_workers, false),
      tracer_(job, scenario) {
  connections_.resize(job.connections.size());
  result_.step_end_ns.assign(scenario.n_steps, 0);
  result_.n_tasks.assign(job.names.size(), 0);
  result_.work_ns.assign(job.names.size(), 0);
  ranks_.resize(job.ranks.size());
  workers_.resize(job.ranks.size() * job.n_workers);
  n_ready_.resize(workers_.size());
  result_.workers.resize(workers_.size());
  std::size_t n_lists = 0, n_left = 0;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const RankGraph& graph = job.graph_of(r);
    SimRank& rank = ranks_[r];
    rank.graph = &graph;
    rank.n_nodes = static_cast<std::uint32_t>(graph.n_nodes());
    rank.n_classes = scenario.honours_priorities ? graph.n_priority_classes : 1;
    rank.n_slots = n_slots_of(graph, scenario);
    rank.first_list = std::exchange(n_lists, n_lists + job.n_workers * rank.n_classes);
    rank.first_left = std::exchange(n_left, n_left + graph.n_nodes() * rank.n_slots);
  }
  ready_.resize(n_lists);
  left_.resize(n_left);
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const RankGraph& graph = job.graph_of(r);
    SimRank& rank = ranks_[r];
    THALWEG_EXPECT(graph.n_nodes() < node_mask, "a rank has fewer than 2^28 nodes");
    rank.first_worker = r * job.n_workers;
    rank.n_idle = job.n_workers;
    for (std::uint32_t w = 0; w < job.n_workers; ++w) {
      workers_[rank.first_worker + w].rank = r;
      result_.workers[rank.first_worker + w] = {.rank = Rank(r), .worker = w};
    }
    if (graph.n_nodes() == 0) rank.n_issued = rank.n_complete = scenario.n_steps;
    for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
      const JobNode& node = graph.nodes[t];
      if (node.controls_termination) rank.has_termination_node = true;
      for (std::uint32_t slot = 0; slot < rank.n_slots; ++slot)
        left(rank, t, slot) = node.n_awaited() + (slot == 0 ? 0 : node.n_past);
    }
  }
}

SimulatedRun Simulator::run() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) issue_tokens(r);
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) settle(r);
  while (!events_.is_empty()) {
    const SimEvent event = events_.pop();
    now_ns_ = event.time_ns;
    if (now_ns_ >= longest_ns)
      throw Error(
          "simulated time passes 11 days (tasks, or messages, take far too long); look at the "
          "machine's bandwidths and factors, and at --what-if");
    happen(event);
  }
  for (std::uint32_t r = 0; r < ranks_.size(); ++r)
    if (ranks_[r].n_complete < scenario_.n_steps)
      throw Error(fmt::format(
          "step {} never ends on rank {} (tasks and messages wait for each other in a cycle); "
          "record sends before the receives that depend on them",
          ranks_[r].n_complete, r));
  now_ns_ = result_.total_ns();
  reason_ = {IdleCause::no_task};
  for (std::uint32_t w = 0; w < workers_.size(); ++w) {
    note_idle(w);
    result_.workers[w].work_ns = workers_[w].all_work_ns;
    result_.workers[w].overhead_ns = workers_[w].all_overhead_ns;
  }
  result_.traces = std::move(tracer_).finish(result_.total_ns());
  return std::move(result_);
}

void Simulator::count_down(std::uint32_t r, std::uint32_t node, std::uint32_t slot) {
  if (--left(ranks_[r], node, slot) == 0) make_ready(r, node, slot);
}

void Simulator::make_ready(std::uint32_t r, std::uint32_t node, std::uint32_t slot) {
  SimRank& rank = ranks_[r];
  const JobNode& what = rank.graph->nodes[node];
  const SimItem item = node | slot << slot_shift;
  switch (what.kind) {
    case NodeKind::task: {
      const std::uint32_t of_class = scenario_.honours_priorities ? what.priority_class : 0;
      ready_[rank.first_list + what.owner * rank.n_classes + of_class].push(item);
      if (n_ready_[rank.first_worker + what.owner]++ == 0) with_tasks_.insert(r, what.owner);
      ++rank.n_ready;
      break;
    }
    case NodeKind::send:
      rank.to_send.push(item);
      break;
    case NodeKind::recv:
      rank.to_receive.push(item);
      break;
    case NodeKind::barrier:
      reason_ = {IdleCause::barrier};
      finish(r, item);
      break;
  }
}

void Simulator::finish(std::uint32_t r, SimItem item) {
  SimRank& rank = ranks_[r];
  const RankGraph& graph = *rank.graph;
  const std::uint32_t slot = item >> slot_shift;
  const std::uint32_t t = item & node_mask;
  const JobNode& node = graph.nodes[t];
  const std::uint64_t replay = rank.replay[slot];
  left(rank, t, slot) = node.n_awaited() + node.n_past;
  ++result_.n_nodes;
  const bool has_next = replay + 1 < scenario_.n_steps;
  const std::uint32_t next = slot + 1 == rank.n_slots ? 0 : slot + 1;
  for (const std::uint32_t edge : graph.edges_of(t)) {
    if ((edge & wrap_bit) == 0)
      count_down(r, edge, slot);
    else if (has_next)
      count_down(r, edge & ~wrap_bit, next);
  }
  if (node.controls_termination) {
    rank.n_decided = replay + 1;
    issue_tokens(r);
  }
  if (--rank.n_left[slot] == 0) end_replays(r);
}

void Simulator::issue_tokens(std::uint32_t r) {
  SimRank& rank = ranks_[r];
  const RankGraph& graph = *rank.graph;
  while (rank.n_issued < scenario_.n_steps && rank.n_issued < rank.n_complete + rank.n_slots - 1 &&
         (!rank.has_termination_node || rank.n_decided >= rank.n_issued)) {
    const auto slot = static_cast<std::uint32_t>(rank.n_issued % rank.n_slots);
    rank.replay[slot] = rank.n_issued++;
    rank.n_left[slot] = rank.n_nodes;
    for (const std::uint32_t source : graph.sources) count_down(r, source, slot);
  }
}

/// Replays end in their order, also where a later one has nothing left to do before.
void Simulator::end_replays(std::uint32_t r) {
  SimRank& rank = ranks_[r];
  const std::uint64_t before = rank.n_complete;
  while (rank.n_complete < rank.n_issued && rank.n_left[rank.n_complete % rank.n_slots] == 0) {
    std::int64_t& end_ns = result_.step_end_ns[rank.n_complete++];
    end_ns = std::max(end_ns, now_ns_);
  }
  if (rank.n_complete == before) return;
  reason_ = {IdleCause::barrier};
  issue_tokens(r);
}

/// Let idle workers begin what they can: those with tasks of their own first.
void Simulator::settle(std::uint32_t r) {
  SimRank& rank = ranks_[r];
  bool has_begun = true;
  while (has_begun && rank.n_idle > 0 && rank.has_work()) {
    has_begun = false;
    for (std::uint32_t w = idle_.first(r, 0, with_tasks_); w < job_.n_workers;
         w = idle_.first(r, w + 1, with_tasks_))
      has_begun = begin_next(rank.first_worker + w) || has_begun;
    for (std::uint32_t w = idle_.first(r, 0); w < job_.n_workers; w = idle_.first(r, w + 1)) {
      const bool may_poll = may_communicate(rank, rank.first_worker + w) && rank.has_work();
      if (rank.n_ready == 0 && !may_poll) break;
      has_begun = begin_next(rank.first_worker + w) || has_begun;
    }
  }
}

/// @return whether the worker has begun something
bool Simulator::begin_next(std::uint32_t w) {
  SimWorker& worker = workers_[w];
  SimRank& rank = ranks_[worker.rank];
  const bool polls_first = scenario_.progress == flow::Progress::task_boundary;
  for (;;) {
    if (may_communicate(rank, w)) {
      while (!rank.to_receive.is_empty()) post_receive(worker.rank, rank.to_receive.pop_first());
      if (!rank.to_send.is_empty()) {
        const SimItem item = rank.to_send.pop_first();
        const std::uint32_t connection = connection_of(worker.rank, item);
        rank.is_transport_taken = true;
        begin(w, Activity::posting, item, network_.overhead_ns(job_.connections[connection]));
        return true;
      }
      if (polls_first && !rank.notices.is_empty()) {
        if (handle_notice(w)) return true;
        continue;
      }
    }
    if (n_ready_[w] > 0) {
      begin_task(w, w, most_urgent(w).pop_last());
      return true;
    }
    if (may_communicate(rank, w) && !rank.notices.is_empty()) {
      if (handle_notice(w)) return true;
      continue;
    }
    return steal(w);
  }
}

/// Take what has been ready longest at the worker of the rank that has most.
bool Simulator::steal(std::uint32_t w) {
  const SimRank& rank = ranks_[workers_[w].rank];
  if (rank.n_ready == 0) return false;
  const auto first = n_ready_.begin() + rank.first_worker;
  const auto most = std::max_element(first, first + job_.n_workers);
  const auto victim = static_cast<std::uint32_t>(most - n_ready_.begin());
  begin_task(w, victim, most_urgent(victim).pop_first());
  return true;
}

/// The ready tasks of the highest class that a worker has any of. @pre it has some
TwoEnded<SimItem>& Simulator::most_urgent(std::uint32_t w) {
  const SimRank& rank = ranks_[workers_[w].rank];
  std::size_t list = rank.first_list + (w - rank.first_worker + 1) * rank.n_classes - 1;
  while (ready_[list].is_empty()) --list;
  return ready_[list];
}

void Simulator::begin_task(std::uint32_t w, std::uint32_t owner, SimItem item) {
  SimWorker& worker = workers_[w];
  SimRank& rank = ranks_[worker.rank];
  --rank.n_ready;
  if (--n_ready_[owner] == 0) with_tasks_.erase(worker.rank, owner - rank.first_worker);
  worker.overhead_ns = owner == w ? own_overhead_ns_ : steal_overhead_ns_;
  const std::int64_t work_ns =
      worker.overhead_ns + duration_ns(job_, machine_, scenario_, worker.rank,
                                       replay_of(worker.rank, item), item & node_mask);
  if (!memory_.is_bound(rank.graph->nodes[item & node_mask].name))
    return begin(w, Activity::task, item, work_ns);
  occupy(w, Activity::task, item);
  const std::uint32_t domain = memory_.domain_of(worker.rank, w - rank.first_worker);
  events_.push(memory_.begin(domain, w, work_ns, now_ns_), SimEvent::Kind::memory_done, domain);
}

/// End the task of a domain that is due. Where others began or ended since the event was made, it
/// may be none, as the event has a successor at another time.
void Simulator::end_sharing(std::uint32_t domain) {
  if (memory_.next_end_ns(domain) != now_ns_) return;
  const std::uint32_t w = memory_.end(domain, now_ns_);
  if (const std::int64_t next_ns = memory_.next_end_ns(domain); next_ns != MemoryDomains::never)
    events_.push(next_ns, SimEvent::Kind::memory_done, domain);
  end_activity(w);
}

void Simulator::begin(std::uint32_t w, Activity activity, SimItem item, std::int64_t duration_ns) {
  occupy(w, activity, item);
  events_.push(now_ns_ + duration_ns, SimEvent::Kind::worker_done, w);
}

void Simulator::occupy(std::uint32_t w, Activity activity, SimItem item) {
  SimWorker& worker = workers_[w];
  note_idle(w);
  worker.activity = activity;
  worker.item = item;
  worker.since_ns = now_ns_;
  --ranks_[worker.rank].n_idle;
  idle_.erase(worker.rank, w - ranks_[worker.rank].first_worker);
}

void Simulator::note_idle(std::uint32_t w) {
  const SimWorker& worker = workers_[w];
  if (worker.since_ns == now_ns_) return;
  trace::WorkerTiling& tiling = result_.workers[w];
  tracer_.idle(worker.rank, w - ranks_[worker.rank].first_worker, worker.since_ns, now_ns_);
  const auto add = [&](IdleCause cause, std::int64_t ns) {
    tiling.idle_ns[static_cast<std::size_t>(cause)] += ns;
  };
  if (reason_.cause != IdleCause::message_in_flight)
    return add(reason_.cause, now_ns_ - worker.since_ns);
  const std::int64_t sent_ns = std::clamp(reason_.sent_ns, worker.since_ns, now_ns_);
  add(IdleCause::message_not_sent, sent_ns - worker.since_ns);
  add(IdleCause::message_in_flight, now_ns_ - sent_ns);
}

void Simulator::end_activity(std::uint32_t w) {
  SimWorker& worker = workers_[w];
  const std::uint32_t r = worker.rank;
  SimRank& rank = ranks_[r];
  const std::int64_t spent_ns = now_ns_ - worker.since_ns;
  const Activity activity = worker.activity;
  worker.activity = Activity::idle;
  worker.since_ns = now_ns_;
  ++rank.n_idle;
  idle_.insert(r, w - rank.first_worker);
  reason_ = {IdleCause::producer_running};
  if (activity == Activity::task) {
    const JobNode& node = rank.graph->nodes[worker.item & node_mask];
    worker.all_overhead_ns += worker.overhead_ns;
    worker.all_work_ns += spent_ns - worker.overhead_ns;
    result_.work_ns[node.name] += spent_ns - worker.overhead_ns;
    ++result_.n_tasks[node.name];
    tracer_.run_task(r, w - rank.first_worker, worker.item, replay_of(r, worker.item),
                     now_ns_ - spent_ns + worker.overhead_ns, now_ns_);
    finish(r, worker.item);
    return settle(r);
  }
  worker.all_overhead_ns += spent_ns;
  rank.is_transport_taken = false;
  if (activity == Activity::posting) {
    const std::uint32_t connection = connection_of(r, worker.item);
    const SimItem item = worker.item;
    tracer_.post(r, item, replay_of(r, item), now_ns_);
    post_send(connection);
    if (!is_long(job_.connections[connection])) {
      ++connections_[connection].n_sent;
      tracer_.complete(r, w - rank.first_worker, item, replay_of(r, item), trace::EventKind::send,
                       now_ns_);
      finish(r, item);
    }
  } else {
    SimConnection& c = connections_[worker.item];
    const std::uint64_t k = c.n_received++;
    reason_ = {IdleCause::message_in_flight, c.posted_ns[k % c.posted_ns.size()]};
    const auto slot = static_cast<std::uint32_t>(k % rank.n_slots);
    const SimItem item = job_.connections[worker.item].to_node | slot << slot_shift;
    tracer_.complete(r, w - rank.first_worker, item, k, trace::EventKind::recv, now_ns_);
    finish(r, item);
  }
  settle(r);
}

}  // namespace thalweg::predict
