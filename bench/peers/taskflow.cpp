// SPDX-License-Identifier: MIT
// Taskflow: a static graph, built once, run again and again.
#include <cstdint>
#include <vector>

#include <taskflow/taskflow.hpp>

#include "peer.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& s, Body body) : executor_(s.n_workers) {
    for (std::uint32_t t = 0; t < s.n_steps; ++t)
      for (std::uint32_t i = 0; i < s.width; ++i) {
        nodes_.push_back(graph_.emplace([=] { body(t, i); }));
        if (t > 0)
          s.for_each_dependency(
              i, [&](std::uint32_t p) { nodes_[(t - 1) * s.width + p].precede(nodes_.back()); });
      }
  }
  void run(std::uint32_t n) { executor_.run_n(graph_, n).wait(); }

 private:
  tf::Executor executor_;
  tf::Taskflow graph_;
  std::vector<tf::Task> nodes_;
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}
