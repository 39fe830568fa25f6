// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <string>

#include <starpu.h>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {

Session::Session(std::uint32_t n_threads) {
  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.precedence_over_environment_variables = 1;
  conf.ncpus = static_cast<int>(n_threads);
  conf.ncuda = 0;
  conf.nopencl = 0;
  conf.nmic = 0;
  conf.sched_policy_name = "lws";  // locality by work stealing, with priorities
  conf.bus_calibrate = 0;
  conf.calibrate = 0;
  conf.catch_signals = 0;  // signals belong to the program
  if (const int error = starpu_init(&conf); error != 0)
    throw Error("StarPU does not start (error " + std::to_string(-error) +
                "); see whether it runs alone, and STARPU_HOME names a folder it may write to");
  const unsigned n_given = starpu_cpu_worker_get_count();
  if (n_given == n_threads) return;
  starpu_shutdown();
  throw Error(
      "n_threads = " + std::to_string(n_threads) + " (StarPU runs with " + std::to_string(n_given) +
      ": as many as the first executor of the process asked for, and no more than there are "
      "cores); take that many");
}

Session::~Session() {
  starpu_shutdown();
}

}  // namespace thalweg::backends
