// SPDX-License-Identifier: MIT
// What every test program that needs a Runtime begins and ends with.
#pragma once
#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/app/runtime.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app::testing {

/// That of a test program, while run_tests_with_runtime() runs: MPI starts and ends once a process.
inline Runtime* runtime = nullptr;

/// Run all tests of a program. @return what each rank ends with: 0 if no rank has failed
inline int run_tests_with_runtime(int argc, char** argv) {
  Runtime made(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  runtime = &made;
  const int failed = RUN_ALL_TESTS();
  return flow::all_reduce(made.transport(), failed, [](int a, int b) { return std::max(a, b); });
}

}  // namespace thalweg::app::testing
