// SPDX-License-Identifier: MIT
// Cholesky's factorisation as StarPU's tasks on handles, submitted anew each time.
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "cholesky_peer.hpp"

namespace thalweg::bench {

class Peer {
 public:
  Peer(const Kernels& kernels, int n_tiles, std::uint32_t n_threads)
      : kernels_(kernels), n_tiles_(n_tiles) {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = static_cast<int>(n_threads);
    conf.ncuda = conf.nopencl = 0;
    if (starpu_init(&conf) != 0) throw std::runtime_error("StarPU does not start");
    handles_.resize(static_cast<std::size_t>(n_tiles * n_tiles));
    for (starpu_data_handle_t& handle : handles_) starpu_void_data_register(&handle);
    starpu_codelet_init(&codelet_);
    codelet_.cpu_funcs[0] = [](void**, void* task) { static_cast<const Task*>(task)->run(); };
    codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
  }
  ~Peer() {
    for (const starpu_data_handle_t handle : handles_) starpu_data_unregister(handle);
    starpu_shutdown();
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void factorise(Tiles& a) {
    tasks_.clear();
    const auto n = static_cast<std::size_t>(n_tiles_);
    tasks_.reserve(n * (n + 1) * (n + 2) / 6);  // they stay where they are until all have run
    for (int k = 0; k < n_tiles_; ++k) {
      submit({&kernels_, Call::factorise, nullptr, nullptr, a.at(k, k)}, {}, at(k, k));
      for (int m = k + 1; m < n_tiles_; ++m)
        submit({&kernels_, Call::solve_panel, a.at(k, k), nullptr, a.at(m, k)}, {at(k, k)},
               at(m, k));
      for (int j = k + 1; j < n_tiles_; ++j) {
        submit({&kernels_, Call::update_diagonal, a.at(j, k), nullptr, a.at(j, j)}, {at(j, k)},
               at(j, j));
        for (int i = j + 1; i < n_tiles_; ++i)
          submit({&kernels_, Call::update, a.at(i, k), a.at(j, k), a.at(i, j)},
                 {at(i, k), at(j, k)}, at(i, j));
      }
    }
    starpu_task_wait_for_all();
  }

 private:
  enum class Call : std::uint8_t { factorise, solve_panel, update_diagonal, update };
  struct Task {
    const Kernels* kernels;
    Call call;
    const double* left;
    const double* right;
    double* tile;

    void run() const {
      switch (call) {
        case Call::factorise:
          return kernels->factorise(tile);
        case Call::solve_panel:
          return kernels->solve_panel(left, tile);
        case Call::update_diagonal:
          return kernels->update_diagonal(left, tile);
        case Call::update:
          return kernels->update(left, right, tile);
      }
    }
  };

  starpu_data_handle_t at(int i, int j) const {
    return handles_[static_cast<std::size_t>(j * n_tiles_ + i)];
  }
  void submit(const Task& task, std::initializer_list<starpu_data_handle_t> reads,
              starpu_data_handle_t writes) {
    starpu_task* submitted = starpu_task_create();
    submitted->cl = &codelet_;
    submitted->cl_arg = &tasks_.emplace_back(task);
    int n = 0;
    for (const starpu_data_handle_t handle : reads) {
      submitted->handles[n] = handle;
      submitted->modes[n++] = STARPU_R;
    }
    submitted->handles[n] = writes;
    submitted->modes[n++] = STARPU_RW;
    submitted->nbuffers = n;
    if (starpu_task_submit(submitted) != 0) throw std::runtime_error("StarPU takes no task");
  }

  Kernels kernels_;
  int n_tiles_;
  std::vector<starpu_data_handle_t> handles_;
  std::vector<Task> tasks_;
  starpu_codelet codelet_{};
};

}  // namespace thalweg::bench

int main(int argc, char** argv) {
  return thalweg::bench::cholesky_main<thalweg::bench::Peer>(argc, argv);
}
