// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include "backend_sim.hpp"
#include "starpu_home.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(StarPuExecutor, BackendSim, StarPuExecutor);

}  // namespace thalweg::backends
