// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "backend_sim.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(OpenMpExecutor, BackendSim, OpenMpExecutor);

}  // namespace thalweg::backends
