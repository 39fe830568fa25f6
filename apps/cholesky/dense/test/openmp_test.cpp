// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include "other_runtimes.hpp"

namespace thalweg::cholesky {
namespace {

TEST(OtherRuntimes, openmp_comes_to_the_same_factor) {
  testing::expect_same_factor<backends::OpenMpExecutor>();
}

}  // namespace
}  // namespace thalweg::cholesky
