// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include <starpu.h>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

/// Lets the processes of a host start StarPU one after another. Where STARPU_HOME has no figures of
/// the machine yet each of them measures and writes them, and one that reads what another has half
/// written aborts the program.
class StartingAlone {
 public:
  StartingAlone() : folder_(::open(temporary_folder().c_str(), O_RDONLY | O_CLOEXEC)) {
    if (folder_ >= 0) ::flock(folder_, LOCK_EX);
  }
  ~StartingAlone() {
    if (folder_ >= 0) ::close(folder_);
  }
  StartingAlone(const StartingAlone&) = delete;
  StartingAlone& operator=(const StartingAlone&) = delete;

 private:
  static std::filesystem::path temporary_folder() {
    std::error_code ignored;
    return std::filesystem::temp_directory_path(ignored);
  }

  int folder_;  // -1 where there is none: then nobody waits
};

int start(starpu_conf& conf) {
  const StartingAlone alone;
  return starpu_init(&conf);
}

}  // namespace

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
  if (const int error = start(conf); error != 0)
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
