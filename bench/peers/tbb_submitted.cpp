// SPDX-License-Identifier: MIT
// oneTBB's flow graph: built for each run, as tasks are submitted.
#include <tbb/global_control.h>

#include "peer.hpp"
#include "tbb_graph.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& s, Body body)
      : threads_(tbb::global_control::max_allowed_parallelism, s.n_workers),
        stencil_(s),
        body_(body) {}
  void run(std::uint32_t n) {
    for (; n > 0; --n) FlowGraph<Body>(stencil_, body_).run();
  }

 private:
  tbb::global_control threads_;
  Stencil stencil_;
  Body body_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}
