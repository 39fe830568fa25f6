// SPDX-License-Identifier: MIT
// Task Bench with OpenMP tasks, submitted in each run. Built with g++ for libgomp, with clang for
// libomp.
#include <cstddef>
#include <cstdint>

#include "taskbench_peer.hpp"

namespace {

using thalweg::bench::GraphTask;
using thalweg::bench::GraphTasks;

class Peer {
 public:
  Peer(const GraphTasks& tasks, std::uint32_t n_threads) : tasks_(tasks), n_threads_(n_threads) {}

  void run() {
#pragma omp parallel num_threads(n_threads_)
#pragma omp single
    for (const GraphTask& task : tasks_.all()) submit(&task);
  }

 private:
  void submit(const GraphTask* task) {
    const GraphTasks* tasks = &tasks_;
    // As many clauses as inputs: an iterator would cost more.
    [[maybe_unused]] const char* const* in = task->inputs.get();
    [[maybe_unused]] char* out = task->output;
    switch (task->sources.size()) {
      case 0:
#pragma omp task firstprivate(task, tasks) depend(out : out[0])
        tasks->execute(*task);
        break;
      case 1:
#pragma omp task firstprivate(task, tasks) depend(in : in[0][0]) depend(out : out[0])
        tasks->execute(*task);
        break;
      case 2:
#pragma omp task firstprivate(task, tasks) depend(in : in[0][0], in[1][0]) depend(out : out[0])
        tasks->execute(*task);
        break;
      default: {
        [[maybe_unused]] const std::size_t n = task->sources.size();
#pragma omp task firstprivate(task, tasks) depend(iterator(std::size_t i = 0 : n), in : in[i][0]) \
    depend(out : out[0])
        tasks->execute(*task);
      }
    }
  }

  const GraphTasks& tasks_;
  std::uint32_t n_threads_;
};

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::taskbench_peer_main<Peer>(argc, argv);
}
