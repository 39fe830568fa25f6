// SPDX-License-Identifier: MIT
// oneTBB's flow graph: built once, run again and again.
#include <deque>

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

#include "peer.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& s, Body body)
      : threads_(tbb::global_control::max_allowed_parallelism, s.n_workers), start_(graph_) {
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
  void run(std::uint32_t n) {
    for (; n > 0; --n) {
      start_.try_put(Message());
      graph_.wait_for_all();
    }
  }

 private:
  using Message = tbb::flow::continue_msg;
  using Node = tbb::flow::continue_node<Message>;

  tbb::global_control threads_;
  tbb::flow::graph graph_;
  tbb::flow::broadcast_node<Message> start_;
  std::deque<Node> nodes_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}
