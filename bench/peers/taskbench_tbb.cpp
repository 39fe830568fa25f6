// SPDX-License-Identifier: MIT
// Task Bench with oneTBB's flow graph: built once, run again and again.
#include <cstddef>
#include <cstdint>
#include <deque>

#include <tbb/flow_graph.h>
#include <tbb/global_control.h>

#include "taskbench_peer.hpp"

namespace {

using thalweg::bench::GraphTask;
using thalweg::bench::GraphTasks;

class Peer {
 public:
  Peer(const GraphTasks& tasks, std::uint32_t n_threads)
      : threads_(tbb::global_control::max_allowed_parallelism, n_threads), start_(graph_) {
    for (const GraphTask& task : tasks.all()) {
      Node& node = nodes_.emplace_back(
          graph_, [all = &tasks, task = &task](const Message&) { all->execute(*task); });
      if (task.sources.empty()) tbb::flow::make_edge(start_, node);
      for (const std::size_t source : task.sources) tbb::flow::make_edge(nodes_[source], node);
    }
  }
  void run() {
    start_.try_put(Message());
    graph_.wait_for_all();
  }

 private:
  using Message = tbb::flow::continue_msg;
  using Node = tbb::flow::continue_node<Message>;

  tbb::global_control threads_;
  tbb::flow::graph graph_;
  tbb::flow::broadcast_node<Message> start_;
  std::deque<Node> nodes_;
};

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::taskbench_peer_main<Peer>(argc, argv);
}
