// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// Of each chain, how many of the things that ran there come before.
using ChainClock = std::vector<std::uint32_t>;

inline void join(ChainClock& clock, const ChainClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (std::size_t c = 0; c < other.size(); ++c) clock[c] = std::max(clock[c], other[c]);
}

/// A node in a replay, and where it stands in the order that the program has declared.
struct Instance {
  ChainClock clock{};      ///< empty: it has not run yet
  std::uint64_t sync = 0;  ///< holds nothing: ThreadSanitizer knows the moment by its address

  bool has_run() const { return !clock.empty(); }
};

/// One run of a graph that is checked, and what its nodes wait for.
class CheckedRun {
 public:
  /// @param ended all that came before the run
  CheckedRun(Graph& graph, std::size_t number, ChainClock ended)
      : graph_(graph),
        number_(number),
        ended_(std::move(ended)),
        predecessors_(reversed(graph, Within::replay)),
        wrap_predecessors_(reversed(graph, Within::next_replay)) {
    for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
      if (graph.successors(TaskId(t)).empty()) sinks_.push_back(t);
      if (graph.node(TaskId(t)).controls_termination) termination_node_ = t;
    }
  }

  Graph& graph() const { return graph_; }
  std::size_t number() const { return number_; }
  const ChainClock& ended() const { return ended_; }
  void* begun() { return &begun_; }

  Instance& instance(std::uint32_t node, std::uint64_t replay) {
    auto& nodes = replays_[replay];
    if (nodes.empty()) nodes.resize(graph_.n_nodes());
    return nodes[node];
  }
  /// Forget the replays before this one. @pre all of their nodes have run
  void forget_before(std::uint64_t replay) {
    replays_.erase(replays_.begin(), replays_.lower_bound(replay));
  }
  std::optional<std::uint64_t> first_remembered() const {
    return replays_.empty() ? std::nullopt : std::optional(replays_.begin()->first);
  }

  /// Call f(node, replay) for all that a node waits for. How many replays may be in flight is a
  /// setting of the executor and no promise to the program, so it counts for nothing here.
  template <class F>
  void for_each_before(std::uint32_t node, std::uint64_t replay, F f) const {
    for (const std::uint32_t p : predecessors_[node]) f(p, replay);
    if (replay == 0) return;
    for (const std::uint32_t p : wrap_predecessors_[node]) f(p, replay - 1);
    if (!predecessors_[node].empty()) return;
    if (termination_node_) f(*termination_node_, replay - 1);
    if (!graph_.overlaps())
      for (const std::uint32_t sink : sinks_) f(sink, replay - 1);
  }

 private:
  enum class Within { replay, next_replay };
  using Lists = std::vector<std::vector<std::uint32_t>>;
  static Lists reversed(const Graph& graph, Within within) {
    Lists lists(graph.n_nodes());
    for (std::uint32_t from = 0; from < graph.n_nodes(); ++from)
      for (const std::uint32_t to : within == Within::replay ? graph.successors(TaskId(from))
                                                             : graph.wrap_successors(TaskId(from)))
        lists[to].push_back(from);
    return lists;
  }

  Graph& graph_;
  std::size_t number_;
  ChainClock ended_;
  std::uint64_t begun_ = 0;
  Lists predecessors_;
  Lists wrap_predecessors_;
  std::vector<std::uint32_t> sinks_;
  std::optional<std::uint32_t> termination_node_;
  std::map<std::uint64_t, std::vector<Instance>> replays_;
};

}  // namespace thalweg::flow
