// SPDX-License-Identifier: MIT
// Task Bench with Taskflow: a static graph, built once, run again and again.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <taskflow/taskflow.hpp>

#include "taskbench_peer.hpp"

namespace {

using thalweg::bench::GraphTask;
using thalweg::bench::GraphTasks;

class Peer {
 public:
  Peer(const GraphTasks& tasks, std::uint32_t n_threads) : executor_(n_threads) {
    for (const GraphTask& task : tasks.all()) {
      nodes_.push_back(graph_.emplace([all = &tasks, task = &task] { all->execute(*task); }));
      for (const std::size_t source : task.sources) nodes_[source].precede(nodes_.back());
    }
  }
  void run() { executor_.run(graph_).wait(); }

 private:
  tf::Executor executor_;
  tf::Taskflow graph_;
  std::vector<tf::Task> nodes_;
};

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::taskbench_peer_main<Peer>(argc, argv);
}
