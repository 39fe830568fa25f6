// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include "runners.hpp"

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_starpu_runner(const flow::ExecutorConfig& config,
                                           flow::Transport& transport) {
  return std::make_unique<BackendRunner<backends::StarPuExecutor>>(config, transport);
}

}  // namespace thalweg::taskbench
