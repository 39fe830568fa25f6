// SPDX-License-Identifier: MIT
#include <thalweg/app/testing/runtime_main.hpp>

int main(int argc, char** argv) {
  return thalweg::app::testing::run_tests_with_runtime(argc, argv);
}
