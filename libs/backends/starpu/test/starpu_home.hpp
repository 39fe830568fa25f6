// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

namespace thalweg::backends {

/// Keeps the files in which StarPU notes how fast the machine is out of the user's home.
class StarPuHome final : public testing::Environment {
  void SetUp() override { setenv("STARPU_HOME", THALWEG_STARPU_HOME, 1); }
};

inline const auto* const starpu_home = testing::AddGlobalTestEnvironment(new StarPuHome);

}  // namespace thalweg::backends
