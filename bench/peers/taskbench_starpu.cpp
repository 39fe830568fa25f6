// SPDX-License-Identifier: MIT
// Task Bench with StarPU: tasks on handles, submitted in each run.
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "taskbench_peer.hpp"

namespace {

using thalweg::bench::GraphTask;
using thalweg::bench::GraphTasks;

class Peer {
 public:
  Peer(const GraphTasks& tasks, std::uint32_t n_threads) {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = static_cast<int>(n_threads);
    conf.ncuda = conf.nopencl = 0;
    if (starpu_init(&conf) != 0) throw std::runtime_error("StarPU does not start");
    outputs_.resize(tasks.all().size());
    for (starpu_data_handle_t& handle : outputs_) starpu_void_data_register(&handle);
    for (const GraphTask& task : tasks.all()) bodies_.push_back({&tasks, &task});
    starpu_codelet_init(&codelet_);
    codelet_.cpu_funcs[0] = [](void**, void* body) {
      const auto& [all, task] = *static_cast<const Body*>(body);
      all->execute(*task);
    };
    codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
  }
  ~Peer() {
    for (const starpu_data_handle_t handle : outputs_) starpu_data_unregister(handle);
    starpu_shutdown();
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void run() {
    for (std::size_t n = 0; n < bodies_.size(); ++n) submit(n);
    starpu_task_wait_for_all();
  }

 private:
  struct Body {
    const GraphTasks* all;
    const GraphTask* task;
  };

  void submit(std::size_t number) {
    Body& body = bodies_[number];
    const std::vector<std::size_t>& sources = body.task->sources;
    if (sources.size() >= STARPU_NMAXBUFS) throw std::runtime_error("too many inputs for StarPU");
    starpu_task* submitted = starpu_task_create();
    submitted->cl = &codelet_;
    submitted->cl_arg = &body;
    int n = 0;
    for (const std::size_t source : sources) {
      submitted->handles[n] = outputs_[source];
      submitted->modes[n++] = STARPU_R;
    }
    submitted->handles[n] = outputs_[number];
    submitted->modes[n++] = STARPU_W;
    submitted->nbuffers = n;
    if (starpu_task_submit(submitted) != 0) throw std::runtime_error("StarPU takes no task");
  }

  std::vector<starpu_data_handle_t> outputs_;
  std::vector<Body> bodies_;
  starpu_codelet codelet_{};
};

}  // namespace

int main(int argc, char** argv) {
  return thalweg::bench::taskbench_peer_main<Peer>(argc, argv);
}
