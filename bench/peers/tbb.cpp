// SPDX-License-Identifier: MIT
// oneTBB's flow graph: built once, run again and again.
#include <tbb/global_control.h>

#include "peer.hpp"
#include "tbb_graph.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& s, Body body)
      : threads_(tbb::global_control::max_allowed_parallelism, s.n_workers), graph_(s, body) {}
  void run(std::uint32_t n) {
    for (; n > 0; --n) graph_.run();
  }

 private:
  tbb::global_control threads_;
  FlowGraph<Body> graph_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}
