// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "backend_suite.hpp"

namespace thalweg::backends {

INSTANTIATE_TYPED_TEST_SUITE_P(OpenMpExecutor, Backend, OpenMpExecutor);

}  // namespace thalweg::backends
