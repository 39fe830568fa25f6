// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include <cstdlib>

#include "other_runtimes.hpp"

namespace thalweg::hpccg {
namespace {

TEST(OtherRuntimes, starpu_comes_to_the_same_solution) {
  // Where it notes how fast the machine is: not in the user's home.
  setenv("STARPU_HOME", THALWEG_STARPU_HOME, 1);
  testing::expect_same_solution<backends::StarPuExecutor>();
}

}  // namespace
}  // namespace thalweg::hpccg
