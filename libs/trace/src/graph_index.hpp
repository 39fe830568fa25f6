// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/trace/graph_info.hpp>

namespace thalweg::trace {

/// Where replays of a graph begin and end.
struct GraphIndex {
  std::vector<std::uint32_t> sources;  ///< wait for nothing in their own replay
  std::vector<std::uint32_t> sinks;    ///< nobody waits for them in their own replay
  std::vector<std::uint32_t> barriers;
  std::vector<std::uint32_t> termination_nodes;  ///< the next replay waits for them

  explicit GraphIndex(const GraphInfo& graph) {
    std::vector<bool> has_before(graph.nodes.size()), has_after(graph.nodes.size());
    for (const Edge& e : graph.edges) has_after[e.from] = has_before[e.to] = true;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
      if (!has_before[n]) sources.push_back(n);
      if (!has_after[n]) sinks.push_back(n);
      if (graph.nodes[n].kind == NodeKind::barrier) barriers.push_back(n);
      if (graph.nodes[n].controls_termination) termination_nodes.push_back(n);
    }
  }
};

}  // namespace thalweg::trace
