// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "runners.hpp"

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_openmp_runner(const flow::ExecutorConfig& config,
                                           flow::Transport& transport) {
  return std::make_unique<BackendRunner<backends::OpenMpExecutor>>(config, transport);
}

}  // namespace thalweg::taskbench
