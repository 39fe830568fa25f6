// SPDX-License-Identifier: MIT
#include "runners.hpp"

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_runner(Runtime runtime, const flow::ExecutorConfig& config,
                                    flow::Transport& transport, const Clock& clock) {
  switch (runtime) {
    case Runtime::openmp:
      return make_openmp_runner(config, transport);
    case Runtime::starpu:
      return make_starpu_runner(config, transport);
    default:
      return make_flow_runner(config, transport, clock);
  }
}

}  // namespace thalweg::taskbench
