// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "backend_mpi.hpp"

namespace thalweg::backends {
namespace {

TEST(BackendMpi, random_programs_give_the_serial_result_in_all_models) {
  expect_serial_results_under_mpi<OpenMpExecutor>();
}

}  // namespace
}  // namespace thalweg::backends
