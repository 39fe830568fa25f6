// SPDX-License-Identifier: MIT
#include "runners.hpp"

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_starpu_runner(const flow::ExecutorConfig&, flow::Transport&) {
  throw Error(
      "-runtime starpu (the program was built without StarPU); build it with libstarpu-dev");
}

}  // namespace thalweg::taskbench
