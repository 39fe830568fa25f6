// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <thalweg/flow/detail/recording.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

/// A recording with an execution model's barriers, ready to be replayed. Immutable.
///
/// Nodes 0 .. n_tasks() - 1 are the tasks and messages recorded, with the same ids; barriers
/// follow. Descending lists of successors are on purpose: the executor stacks them, so the first
/// recorded comes up first.
class Graph {
 public:
  /// Turn a recording into a graph; see capture().
  Graph(Recorder&& recorder, Model model);

  Model model() const { return model_; }
  /// Alive as long as this graph is, wherever it moves: whoever keeps something about it can tell.
  std::weak_ptr<const void> identity() const { return identity_; }
  Rank rank() const { return recording_.rank; }
  int n_ranks() const { return recording_.n_ranks; }

  std::size_t n_tasks() const { return recording_.access_begin.size(); }
  std::size_t n_nodes() const { return recording_.nodes.size(); }
  std::size_t n_messages() const { return recording_.messages.size(); }
  /// Bytes on the heap: nodes, edges, bodies, and what Recorder::data and array made; not what
  /// bodies hold on the heap by themselves.
  std::size_t n_bytes() const { return recording_.n_bytes(); }
  /// Dependencies within a replay, those of barriers included.
  std::size_t n_edges() const { return recording_.successors.n_edges(); }
  /// Dependencies of a replay on the one before.
  std::size_t n_wrap_edges() const { return recording_.wraps.n_edges(); }
  /// Whether a replay may start before the one before has ended.
  bool overlaps() const { return overlaps_; }
  /// Whether a task controls termination: if there is a next replay.
  bool has_termination_node() const { return recording_.has_termination_node; }

  const Node& node(TaskId id) const { return recording_.nodes[id()]; }
  /// Let something else run in a task's place: for tools that stand between executor and body.
  void replace_body(TaskId id, void* body, void (*invoke)(void* body, TaskContext&)) {
    recording_.nodes[id()].body = body;
    recording_.nodes[id()].invoke = invoke;
    identity_ = std::make_shared<char>();  // what executors know of it is no longer so
  }
  std::span<const Node> nodes() const { return recording_.nodes.part(0, n_nodes()); }
  const Message& message(std::uint32_t index) const { return recording_.messages[index]; }
  std::span<const Message> messages() const { return recording_.messages.part(0, n_messages()); }
  const std::string& name(TaskId id) const { return recording_.names[node(id).name]; }
  /// A task in words: its name, rank, block and level (where any task of the graph has one), and
  /// the step it belongs to; where the step of the first replay is unknown, the replay, from 0.
  std::string describe(TaskId id, std::uint64_t replay,
                       std::optional<std::uint64_t> first_step) const;
  /// Names by number, as Node::name counts them.
  const std::vector<std::string>& names() const { return recording_.names.texts(); }
  /// What a recorded task declared. @pre id() < n_tasks()
  std::span<const Access> accesses(TaskId id) const;
  const std::string& name(DatumId id) const { return recording_.datum_names[id()]; }
  std::size_t n_data() const { return recording_.datum_names.size(); }
  /// The phase a recorded task belongs to, and where it stands there. @pre id() < n_tasks()
  struct Position {
    std::uint32_t phase;    ///< phases without tasks do not count
    std::uint32_t index;    ///< in recording order
    std::uint32_t n_tasks;  ///< of the phase
  };
  Position position(TaskId id) const;
  std::size_t n_phases() const { return recording_.segments.size(); }
  const std::string& phase_name(std::uint32_t phase) const {
    return recording_.names[recording_.segments[phase].name];
  }

  /// Who waits for a node in the same replay, latest recorded first.
  std::span<const std::uint32_t> successors(TaskId id) const { return recording_.successors[id()]; }
  /// Who waits for a node in the next replay, latest recorded first.
  std::span<const std::uint32_t> wrap_successors(TaskId id) const { return recording_.wraps[id()]; }
  /// How many nodes of its own replay a node waits for.
  std::uint32_t n_predecessors(TaskId id) const {
    return static_cast<std::uint32_t>(recording_.predecessors[id()].size());
  }
  /// The nodes that wait for nothing in their own replay, latest recorded first.
  std::span<const std::uint32_t> sources() const { return recording_.sources; }
  /// How many nodes nobody waits for in their own replay.
  std::size_t n_sinks() const { return n_sinks_; }
  /// Refuse to be run on another rank than the one it was recorded for.
  /// @errors Error; also where nothing is left in it, as it was moved or replaced
  void require_rank(Rank on, int n_ranks) const;
  /// A cycle of nodes, each of which waits for the next and the last for the first, which is the
  /// one that was recorded first; empty where there is none, else a run fails at once.
  std::span<const std::uint32_t> cyclic() const { return cyclic_; }
  /// What a run says of it, before its first replay. @pre there is one
  std::string describe_cycle(std::optional<std::uint64_t> first_step) const;

  /// Draw the graph in the language of Graphviz: solid within a replay, dashed to the next.
  void dump_dot(std::ostream& out) const;
  /// Write nodes, edges and messages as JSON, schema thalweg-graph-1, for tools.
  ///
  /// Edges are pairs of ids: from, to. `wrap_edges` go to the next replay. Blocks are strings.
  void dump_json(std::ostream& out) const;

 private:
  friend class Recorder;

  std::vector<std::uint32_t> place_barriers();
  void add_edges(const std::vector<std::uint32_t>& starts);
  void add_wraps();
  void count();
  void find_cycles();

  std::shared_ptr<const void> identity_ = std::make_shared<char>();
  detail::Recording recording_;
  Model model_;
  bool overlaps_ = true;
  std::size_t n_sinks_ = 0;
  std::vector<std::uint32_t> cyclic_;
  std::size_t n_behind_cycle_ = 0;  ///< that wait for it, or are in others
};

/// Turn a recording into a graph: put in the model's barriers, find what the next replay waits for.
/// @errors throws RankError for 2^27 nodes or more
Graph capture(Recorder&& recorder, Model model);

}  // namespace thalweg::flow
