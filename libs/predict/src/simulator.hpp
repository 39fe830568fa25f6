// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/core/huge_pages.hpp>
#include <thalweg/predict/simulate.hpp>

#include "event_queue.hpp"
#include "memory_domains.hpp"
#include "network.hpp"
#include "sim_state.hpp"
#include "tracer.hpp"

namespace thalweg::predict {

/// One simulated run; the rules are in the README of this module.
class Simulator {
 public:
  Simulator(const Job& job, const Machine& machine, const Scenario& scenario);
  SimulatedRun run();

 private:
  using Activity = SimWorker::Activity;

  // Life of a node.
  void count_down(std::uint32_t r, std::uint32_t node, std::uint32_t slot);
  void make_ready(std::uint32_t r, std::uint32_t node, std::uint32_t slot);
  void finish(std::uint32_t r, SimItem item);
  // Life of a replay.
  void issue_tokens(std::uint32_t r);
  void end_replays(std::uint32_t r);
  // What workers do.
  void settle(std::uint32_t r);
  bool begin_next(std::uint32_t w);
  void begin(std::uint32_t w, Activity activity, SimItem item, std::int64_t duration_ns);
  void occupy(std::uint32_t w, Activity activity, SimItem item);
  void end_sharing(std::uint32_t domain);
  void begin_task(std::uint32_t w, std::uint32_t owner, SimItem item);
  TwoEnded<SimItem>& most_urgent(std::uint32_t w);
  bool steal(std::uint32_t w);
  void end_activity(std::uint32_t w);
  bool may_communicate(const SimRank& rank, std::uint32_t w) const {
    return !rank.is_transport_taken && (!job_.one_communicates || w == rank.first_worker);
  }
  // Life of a message.
  bool is_long(const Connection& c) const { return c.n_bytes > machine_.eager_bytes; }
  void post_receive(std::uint32_t r, SimItem item);
  void post_send(std::uint32_t connection);
  bool handle_notice(std::uint32_t w);
  void happen(const SimEvent& event);
  void note_idle(std::uint32_t w);
  std::uint32_t& left(const SimRank& rank, std::uint32_t node, std::uint32_t slot) {
    return left_[rank.first_left + std::size_t{slot} * rank.n_nodes + node];
  }
  std::uint32_t connection_of(std::uint32_t r, SimItem message) const {
    return job_.connection_of(r, ranks_[r].graph->nodes[message & node_mask]);
  }
  std::uint64_t replay_of(std::uint32_t r, SimItem item) const {
    return ranks_[r].replay[item >> slot_shift];
  }

  /// Why something became ready just now, for workers that had nothing to do.
  struct Reason {
    trace::IdleCause cause = trace::IdleCause::barrier;
    std::int64_t sent_ns = 0;  ///< of a message
  };

  const Job& job_;
  const Machine& machine_;
  const Scenario& scenario_;
  Network network_;
  MemoryDomains memory_;
  std::int64_t own_overhead_ns_, steal_overhead_ns_;  ///< of a task
  EventQueue events_;
  std::vector<SimRank> ranks_;
  std::vector<SimWorker> workers_;
  // What is looked at for many workers or nodes at once lies close together.
  WorkerSets idle_;
  WorkerSets with_tasks_;                 ///< that are ready
  std::vector<std::uint32_t> n_ready_;    ///< tasks of each worker
  std::vector<TwoEnded<SimItem>> ready_;  ///< of each worker, by priority class
  LargeVector<std::uint32_t> left_;       ///< of rank, slot and node: what it still waits for
  LargeVector<SimConnection> connections_;
  std::int64_t now_ns_ = 0;
  Reason reason_;
  Tracer tracer_;
  SimulatedRun result_;
};

}  // namespace thalweg::predict
