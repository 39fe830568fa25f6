// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::trace {

/// What a node of a graph does.
enum class NodeKind : std::uint8_t { task, send, recv, barrier };

/// What one node of a graph is.
struct NodeInfo {
  std::uint32_t name = 0;  ///< its number in GraphInfo::names
  NodeKind kind = NodeKind::task;
  bool controls_termination = false;  ///< the next replay waits for it
  std::int32_t level = 0;             ///< of the mesh
  std::uint64_t block = 0;            ///< the key given to the task
  std::uint32_t peer = 0;             ///< the other rank of a message
  std::uint32_t tag = 0;              ///< of a message
  std::uint64_t bytes = 0;            ///< size of a message

  bool operator==(const NodeInfo&) const = default;
};

/// One node waits for another.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  bool operator==(const Edge&) const = default;
};

/// A graph as data: what is needed to know what a node waited for.
struct GraphInfo {
  std::string model{};
  std::uint32_t depth = 1;  ///< replays in flight
  std::vector<std::string> names{};
  std::vector<NodeInfo> nodes{};
  std::vector<Edge> edges{};       ///< within a replay
  std::vector<Edge> wrap_edges{};  ///< to the next replay

  bool operator==(const GraphInfo&) const = default;
};

}  // namespace thalweg::trace
