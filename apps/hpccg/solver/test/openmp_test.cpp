// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "other_runtimes.hpp"

namespace thalweg::hpccg {
namespace {

TEST(OtherRuntimes, openmp_comes_to_the_same_solution) {
  testing::expect_same_solution<backends::OpenMpExecutor>();
}

}  // namespace
}  // namespace thalweg::hpccg
