// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <thalweg/core/addresses.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/detail/adjacency.hpp>
#include <thalweg/flow/detail/arena.hpp>
#include <thalweg/flow/detail/growing.hpp>
#include <thalweg/flow/detail/history.hpp>
#include <thalweg/flow/detail/predecessors.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/task.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {

/// What a node of a graph does.
enum class NodeKind : std::uint8_t { task, send, recv, barrier };

/// One node of a graph.
struct Node {
  void (*invoke)(void* body, TaskContext&) = nullptr;  ///< tasks only
  void* body = nullptr;
  std::uint64_t block = 0;
  double cost = 1;
  std::uint32_t name = 0;
  std::uint32_t message = 0;  ///< sends and receives: which message
  std::optional<std::uint32_t> preferred_worker{};
  int level = 0;
  int priority = 0;
  NodeKind kind = NodeKind::task;
  bool controls_termination = false;
  bool is_coroutine = false;  ///< its body may wait in the middle

  bool is_message() const { return kind == NodeKind::send || kind == NodeKind::recv; }
};

/// How tasks become nodes.
struct RecorderConfig {
  /// Up to so many tasks make one node: those recorded one after another with the same name, phase,
  /// owner, level and priority. 1 to 65536. The bits are the same for all.
  ///
  /// What such a node needs it waits for as a whole, as if there were barriers around its tasks.
  /// Inside they run in recording order: Recorder::after of two of them changes nothing. A failure
  /// names the block of the one that failed.
  std::uint32_t grain = 1;
  /// The graph is looked at and not run: arrays without values get addresses without memory, so
  /// that who reads or writes them gets a segmentation fault.
  bool is_for_inspection = false;
};

/// What a send or receive node moves.
struct Message {
  const std::byte* source = nullptr;  ///< of a send
  std::byte* target = nullptr;        ///< of a receive
  std::size_t n_bytes = 0;
  Rank peer{};
  Tag tag{};
  TaskId node{};
};

namespace detail {

/// A run of tasks between two calls of Recorder::phase.
struct Segment {
  std::uint32_t first_task;
  std::uint32_t name;
  PhaseKind kind;
};

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
};

/// An access that sees what the replay before left, because nothing in its own wrote the datum yet.
struct BoundaryAccess {
  std::uint32_t task;
  Access access;
};

/// A set of strings, each stored once.
class Names {
 public:
  std::uint32_t intern(std::string_view name) {
    // Most tasks are called as the one before: one comparison, and no hash.
    if (last_ < texts_.size() && texts_[last_] == name) return last_;
    return last_ = find_or_add(name);
  }
  void clear() {
    texts_.clear();
    ids_.clear();
  }
  const std::string& operator[](std::uint32_t id) const { return texts_[id]; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::uint32_t find_or_add(std::string_view name) {
    if (const auto it = ids_.find(name); it != ids_.end()) return it->second;
    const auto id = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(name);
    ids_.emplace(texts_.back(), id);
    return id;
  }

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
  std::uint32_t last_ = 0;
};

/// Messages between this rank and another one, so far.
struct PeerTags {
  std::uint32_t n_sent = 0;
  std::uint32_t n_received = 0;
};

/// What bodies and data need to live.
struct Parts {
  Arena bodies;
  std::vector<std::shared_ptr<void>> storage;
  std::size_t storage_bytes = 0;  ///< of the arrays in it
  Addresses addresses;            ///< of those without memory

  void clear() {
    bodies.clear();
    storage.clear();
    addresses = {};
    storage_bytes = 0;
  }
  std::size_t n_bytes() const {
    return bodies.n_bytes() + storage.capacity() * sizeof(storage[0]) + storage_bytes;
  }
};

/// All that a recorder collects and a graph keeps.
struct Recording {
  Rank rank;
  int n_ranks = 1;
  std::uint32_t recorder = 0;  ///< its number, from 1: no other in this process has it
  RecorderConfig config;
  GrowingArray<Node> nodes;
  GrowingArray<Message> messages;
  GrowingArray<std::uint32_t> access_begin;  ///< of task t: where its accesses begin
  GrowingArray<Access> accesses;
  std::vector<std::string> datum_names;
  std::vector<Segment> segments;
  Predecessors predecessors;         ///< discovered, within one replay
  std::vector<Edge> explicit_edges;  ///< of Recorder::after
  GrowingArray<BoundaryAccess> boundary;
  AccessHistory history;
  Names names;
  Parts parts;
  std::unordered_map<Rank, PeerTags> tags;
  bool has_termination_node = false;

  std::span<const Access> accesses_of(std::uint32_t task) const {
    const std::size_t next = task + std::size_t{1};
    return accesses.part(access_begin[task],
                         next < access_begin.size() ? access_begin[next] : accesses.size());
  }

  // What capture adds.
  Adjacency successors;
  Adjacency wraps;  ///< to the next replay
  Predecessors wrap_predecessors;
  std::vector<std::uint32_t> sources;

  /// Forget everything but the memory, which the next recording finds where it needs it.
  void clear();
  /// Bytes of all this on the heap.
  std::size_t n_bytes() const;
};

}  // namespace detail
}  // namespace thalweg::flow
