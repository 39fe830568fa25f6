// SPDX-License-Identifier: MIT
#include "runners.hpp"

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_openmp_runner(const flow::ExecutorConfig&, flow::Transport&) {
  throw Error(
      "-runtime openmp (the program was built without OpenMP); build it with a compiler with "
      "OpenMP");
}

}  // namespace thalweg::taskbench
