// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/huge_pages.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// What becomes of a node that waits for nothing any more.
enum class ExecKind : std::uint8_t {
  task,
  send,
  recv,
  join,   ///< nothing to do: it passes on at once that all before it are done
  token,  ///< a replay begins
  end,    ///< a replay is complete
};

/// What is read of a node each time it runs: a cache line, because what runs next is mostly what
/// this one has released, and each look elsewhere would have to wait for the one before.
struct alignas(64) ExecNode {
  static constexpr std::uint32_t n_inline = 9;

  void (*invoke)(void* body, TaskContext&) = nullptr;
  void* body = nullptr;
  std::uint32_t full = 0;        ///< how many it waits for
  std::uint32_t cold_edges = 0;  ///< which ColdEdges, when it is over; 0: none
  std::uint32_t n_targets = 0;
  /// The nodes of the same owner and replay that wait for this one; if they are more, only where
  /// among the program's targets they begin.
  std::uint32_t targets[n_inline] = {};
};

/// Edges that few nodes have: to nodes of the next replay, or of other workers.
struct ColdEdges {
  std::uint32_t first_wrap = 0;  ///< among the targets: of the same owner and the next replay
  std::uint32_t n_wraps = 0;
  std::uint32_t first_notification = 0;
  std::uint32_t n_notifications = 0;
};

/// Tells another worker that a node is over: what waits for it there.
struct Notification {
  std::uint32_t first_target = 0;  ///< those of the next replay, then those of the same
  std::uint32_t n_wraps = 0;
  std::uint32_t n_targets = 0;
  std::uint32_t to = 0;  ///< worker
};

/// The nodes of one worker: [begin, end). Those from `first_slow` on take the slow path; those
/// before it go to the worker's ready stack.
struct NodeRange {
  std::uint32_t begin = 0, first_slow = 0, end = 0;
};

/// A graph as an engine reads it: numbered by owner, so that workers share no cache line, and every
/// edge either within a worker, where plain counters do, or part of a notification from one to
/// another.
///
/// Beside the nodes of the graph there are, on worker 0, a replay token that the sources wait for
/// and an end that waits for the sinks; and join nodes, each of which waits on a worker for many
/// nodes there that one node elsewhere waits for, so that a barrier gets one notification from a
/// worker, not one a task.
class Program {
 public:
  struct Options {
    std::uint32_t n_workers = 1;
    bool honours_priorities = true;
  };
  Program() = default;
  Program(const Graph& graph, const Options& options);

  std::uint32_t size() const { return static_cast<std::uint32_t>(exec_nodes_.size()); }
  const ExecNode* exec_nodes() const { return exec_nodes_.data(); }
  const std::uint32_t* targets() const { return targets_.data(); }
  const ColdEdges& cold_edges(std::uint32_t index) const { return cold_edges_[index]; }
  const std::vector<Notification>& notifications() const { return notifications_; }
  std::span<const Notification> notifications(const ColdEdges& e) const {
    return std::span(notifications_).subspan(e.first_notification, e.n_notifications);
  }
  const NodeRange& range(std::uint32_t owner) const { return ranges_[owner]; }
  ExecKind kind(std::uint32_t node) const { return kinds_[node]; }
  std::uint32_t owner(std::uint32_t node) const { return owners_[node]; }
  std::uint32_t priority_class(std::uint32_t node) const { return priority_classes_[node]; }
  std::uint32_t n_priority_classes() const { return n_priority_classes_; }
  std::uint32_t base_priority_class() const {
    return base_priority_class_;
  }  ///< of what lies in ready stacks
  /// How many nodes of the replay before a node waits for.
  std::uint32_t n_past(std::uint32_t node) const { return n_past_[node]; }
  /// The graph's own number. @pre the node is one of the graph
  TaskId node(std::uint32_t node) const { return TaskId(nodes_[node]); }
  std::uint32_t index_of(TaskId node) const { return index_of_[node()]; }
  std::uint32_t token() const { return token_; }
  std::uint32_t end() const { return end_; }

 private:
  friend class ProgramBuilder;

  std::uint32_t n_priority_classes_ = 1;
  std::uint32_t base_priority_class_ = 0;
  std::uint32_t token_ = 0, end_ = 0;

  LargeVector<ExecNode> exec_nodes_;
  LargeVector<std::uint32_t> targets_;
  std::vector<ColdEdges> cold_edges_;
  std::vector<Notification> notifications_;
  std::vector<NodeRange> ranges_;
  std::vector<ExecKind> kinds_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> priority_classes_;
  std::vector<std::uint32_t> n_past_;
  std::vector<std::uint32_t> nodes_;     ///< by number here
  std::vector<std::uint32_t> index_of_;  ///< of provisional number: nodes, token, end, joins
};

}  // namespace thalweg::flow
