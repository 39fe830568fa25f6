// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <thalweg/flow/graph.hpp>
#include <thalweg/predict/task_times.hpp>

namespace thalweg::predict {

/// One node of a rank's graph.
struct JobNode {
  std::uint32_t value = 0;       ///< a task: its time [ns]; a message: which of its rank's
  std::uint32_t first_edge = 0;  ///< among the graph's edges; they end where the next node's begin
  std::uint32_t n_predecessors = 0;  ///< in its own replay
  std::uint32_t n_past = 0;          ///< in the replay before
  std::uint16_t name = 0;
  std::uint16_t owner = 0;  ///< worker
  std::uint16_t priority_class = 0;
  flow::NodeKind kind = flow::NodeKind::task;
  bool controls_termination = false;

  /// What must happen in its own replay before it can start: a node without predecessors waits for
  /// the replay itself.
  std::uint32_t n_awaited() const { return n_predecessors == 0 ? 1 : n_predecessors; }

  bool operator==(const JobNode&) const = default;
};

/// An edge is the number of the node that waits, with this bit if it waits in the next replay.
inline constexpr std::uint32_t wrap_bit = 0x8000'0000;

static_assert(sizeof(JobNode) == 24);

/// The graph of a rank, without data, bodies, names and what its messages are. Ranks whose graphs
/// are alike to the bit share one.
struct RankGraph {
  std::vector<JobNode> nodes;  ///< one more than there are, for the end of the edges
  std::vector<std::uint32_t> edges;
  std::vector<std::uint32_t> sources;  ///< nodes that wait for nothing in their own replay
  std::uint32_t n_priority_classes = 1;
  std::uint32_t base_priority_class = 0;
  bool overlaps = true;  ///< whether a replay may start before the one before has ended

  std::size_t n_nodes() const { return nodes.size() - 1; }
  std::span<const std::uint32_t> edges_of(std::uint32_t node) const {
    return std::span(edges).subspan(nodes[node].first_edge,
                                    nodes[node + 1].first_edge - nodes[node].first_edge);
  }
  bool operator==(const RankGraph&) const = default;
};

/// What a rank runs.
struct JobRank {
  std::uint32_t graph = 0;          ///< among the job's
  std::uint32_t first_message = 0;  ///< its messages, in the order of its nodes
};

/// A send and the receive it belongs to.
struct Connection {
  std::uint32_t from_rank = 0, from_node = 0;
  std::uint32_t to_rank = 0, to_node = 0;
  std::uint64_t n_bytes = 0;
};

/// The graphs of all ranks of a program, in the form that the simulator reads. A value.
struct Job {
  std::uint32_t n_workers = 1;    ///< threads of each rank that run tasks
  bool one_communicates = false;  ///< whether only worker 0 does
  std::vector<RankGraph> graphs;  ///< that some rank has, each once
  std::vector<JobRank> ranks;
  std::vector<Connection> connections;
  std::vector<std::uint32_t> messages;          ///< of all ranks: which Connection each belongs to
  std::vector<std::string> names;               ///< of tasks, as JobNode::name counts them
  std::vector<std::uint8_t> is_memory_bound{};  ///< by name; see Machine::shared_memory
  std::vector<std::vector<double>>
      spreads{};                             ///< by name; see TimeFit::spread; [] if all are empty
  std::vector<std::string> unknown_names{};  ///< of tasks without a time, which take none
  double rank_bytes = 0;  ///< of memory, of the rank that takes most; 0: nobody knows

  const RankGraph& graph_of(std::uint32_t rank) const { return graphs[ranks[rank].graph]; }
  /// The number of the Connection that a message of a rank belongs to.
  std::uint32_t connection_of(std::uint32_t rank, const JobNode& message) const {
    return messages[ranks[rank].first_message + message.value];
  }
  /// Of all ranks.
  std::size_t n_nodes() const;
  /// Bytes on the heap.
  std::size_t n_bytes() const;
};

/// Makes a job of graphs, one after another: each may be gone when the next one is added.
class JobBuilder {
 public:
  /// @param times  must outlive the builder
  /// @pre n_ranks > 0, n_workers > 0
  JobBuilder(int n_ranks, std::uint32_t n_workers, const TaskTimes& times);

  /// @pre the graph's rank was not added yet; all graphs have one model
  /// @errors Error where the tasks have more than 65536 names or priorities, one takes more than
  /// 4.2 s, or there are 2^32 messages
  void add(const flow::Graph& graph);
  /// Pair sends and receives. @pre every rank was added
  /// @errors Error where a message has no partner, or one of another size
  Job finish() &&;

 private:
  struct End {
    std::uint32_t node = 0;
    std::uint64_t n_bytes = 0;
  };
  using Key = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;  // from, to, tag

  std::uint16_t number_of(std::string_view name);
  std::uint32_t time_of(const std::string& name, double size);
  std::uint32_t shared(RankGraph graph);

  const TaskTimes& times_;
  Job job_;
  std::map<std::string, std::uint16_t, std::less<>> numbers_;
  std::unordered_multimap<std::size_t, std::uint32_t> graphs_;  // by a hash of their nodes
  std::vector<std::vector<std::pair<Key, End>>> sends_;         // by rank that sends
  std::vector<std::vector<std::pair<Key, End>>> receives_;      // by rank that sends
};

}  // namespace thalweg::predict
