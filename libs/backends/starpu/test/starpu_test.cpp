// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include "backend_suite.hpp"
#include "starpu_home.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(StarPuExecutor, Backend, StarPuExecutor);

}  // namespace thalweg::backends
