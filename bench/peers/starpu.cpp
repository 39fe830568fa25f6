// SPDX-License-Identifier: MIT
// StarPU: tasks on handles, submitted and executed in each run.
#include <starpu.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "peer.hpp"

namespace thalweg::bench {

template <class Body>
class Peer {
 public:
  Peer(const Stencil& s, Body body) : stencil_(s) {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = static_cast<int>(s.n_workers);
    conf.ncuda = conf.nopencl = 0;
    if (starpu_init(&conf) != 0) throw std::runtime_error("StarPU does not start");
    handles_.resize(2 * std::size_t{s.width});
    for (starpu_data_handle_t& handle : handles_) starpu_void_data_register(&handle);
    for (std::uint32_t t = 0; t < s.n_steps; ++t)
      for (std::uint32_t i = 0; i < s.width; ++i) tasks_.push_back({body, t, i});
    starpu_codelet_init(&codelet_);
    codelet_.cpu_funcs[0] = [](void**, void* task) {
      const auto& [f, t, i] = *static_cast<const Task*>(task);
      f(t, i);
    };
    codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
  }
  ~Peer() {
    for (const starpu_data_handle_t handle : handles_) starpu_data_unregister(handle);
    starpu_shutdown();
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void run(std::uint32_t n) {
    for (; n > 0; --n) {
      for (Task& task : tasks_) submit(task);
      starpu_task_wait_for_all();
    }
  }

 private:
  struct Task {
    Body body;
    std::uint32_t step, point;
  };

  /// Each point has two copies of its value, written in turn.
  void submit(Task& task) {
    starpu_task* submitted = starpu_task_create();
    submitted->cl = &codelet_;
    submitted->cl_arg = &task;
    int n = 0;
    const auto add = [&](std::uint32_t step, std::uint32_t point, starpu_data_access_mode mode) {
      submitted->handles[n] = handles_[step % 2 * stencil_.width + point];
      submitted->modes[n++] = mode;
    };
    stencil_.for_each_dependency(task.point,
                                 [&](std::uint32_t p) { add(task.step + 1, p, STARPU_R); });
    if (stencil_.reach) add(task.step, task.point, STARPU_W);
    submitted->nbuffers = n;
    if (starpu_task_submit(submitted) != 0) throw std::runtime_error("StarPU takes no task");
  }

  Stencil stencil_;
  std::vector<starpu_data_handle_t> handles_;
  std::vector<Task> tasks_;
  starpu_codelet codelet_{};
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::peer_main<thalweg::bench::Peer>(argc, argv);
}
