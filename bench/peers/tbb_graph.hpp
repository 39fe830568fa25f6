// SPDX-License-Identifier: MIT
#pragma once
#include <deque>

#include <tbb/flow_graph.h>

#include "../micro/stencil.hpp"

namespace thalweg::bench {

/// The stencil as a flow graph of oneTBB.
template <class Body>
class FlowGraph {
 public:
  FlowGraph(const Stencil& s, Body body) : start_(graph_) {
    for (std::uint32_t t = 0; t < s.n_steps; ++t)
      for (std::uint32_t i = 0; i < s.width; ++i) {
        Node& node = nodes_.emplace_back(graph_, [=](const Message&) { body(t, i); });
        if (t == 0 || !s.reach) tbb::flow::make_edge(start_, node);
        if (t > 0)
          s.for_each_dependency(i, [&](std::uint32_t p) {
            tbb::flow::make_edge(nodes_[(t - 1) * s.width + p], node);
          });
      }
  }
  /// Run it once, which may be done again.
  void run() {
    start_.try_put(Message());
    graph_.wait_for_all();
  }

 private:
  using Message = tbb::flow::continue_msg;
  using Node = tbb::flow::continue_node<Message>;

  tbb::flow::graph graph_;
  tbb::flow::broadcast_node<Message> start_;
  std::deque<Node> nodes_;
};

}  // namespace thalweg::bench
