// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/flow/access.hpp>
#include <thalweg/flow/detail/arena.hpp>
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
  std::optional<std::uint32_t> home_worker{};
  int level = 0;
  int priority = 0;
  NodeKind kind = NodeKind::task;
  bool decides = false;

  bool is_message() const { return kind == NodeKind::send || kind == NodeKind::recv; }
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
    if (const auto it = ids_.find(name); it != ids_.end()) return it->second;
    const auto id = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(name);
    ids_.emplace(texts_.back(), id);
    return id;
  }
  const std::string& operator[](std::uint32_t id) const { return texts_[id]; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;
};

/// The last writer of every datum and who has read it since: the state of dependency discovery.
class AccessHistory {
 public:
  /// Forget nothing, know one more datum.
  void add_datum() { data_.emplace_back(); }
  std::size_t n_data() const { return data_.size(); }
  bool is_written(DatumId d) const { return data_[d()].writer.has_value(); }
  std::optional<std::uint32_t> writer(DatumId d) const { return data_[d()].writer; }
  bool has_readers(DatumId d) const { return data_[d()].readers.has_value(); }

  /// Call f(reader) for all that read the datum since it was last written.
  template <class F>
  void for_each_reader(DatumId d, F f) const {
    for (auto link = data_[d()].readers; link; link = links_[*link].next) f(links_[*link].task);
  }
  void add_reader(DatumId d, std::uint32_t task) {
    links_.push_back({task, data_[d()].readers});
    data_[d()].readers = static_cast<std::uint32_t>(links_.size() - 1);
  }
  /// Everyone after depends on this writer, who depends on the readers: they can be forgotten.
  void set_writer(DatumId d, std::uint32_t task) { data_[d()] = {task, std::nullopt}; }

 private:
  struct State {
    std::optional<std::uint32_t> writer;
    std::optional<std::uint32_t> readers;  ///< first link
  };
  struct Link {
    std::uint32_t task;
    std::optional<std::uint32_t> next;
  };
  std::vector<State> data_;
  std::vector<Link> links_;
};

/// All that a recorder collects and a graph keeps.
struct Recording {
  Rank rank;
  int n_ranks = 1;
  std::vector<Node> nodes;
  std::vector<Message> messages;
  std::vector<std::uint32_t> access_begin{0};  ///< of task t: [access_begin[t], access_begin[t+1])
  std::vector<Access> accesses;
  std::vector<std::string> datum_names;
  std::vector<Segment> segments;
  std::vector<Edge> edges;     ///< discovered and explicit, within one replay
  bool has_edge_back = false;  ///< to a task recorded earlier: only then can there be a cycle
  std::vector<BoundaryAccess> boundary;
  AccessHistory history;
  Names names;
  Arena bodies;
  std::vector<std::shared_ptr<void>> storage;
};

}  // namespace detail
}  // namespace thalweg::flow
