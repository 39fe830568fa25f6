// SPDX-License-Identifier: MIT
#include <thalweg/backends/config.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

std::string error(const Config& config) {
  try {
    check(config);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(BackendConfig, numbers_out_of_range_are_refused) {
  EXPECT_EQ(error({}), "");
  EXPECT_NE(error({.n_threads = 0}).find("n_threads = 0 (must be 1 to 256"), std::string::npos);
  EXPECT_NE(error({.n_threads = 257}).find("n_threads = 257"), std::string::npos);
  EXPECT_NE(error({.depth = 0}).find("depth = 0 (must be 1 to 7"), std::string::npos);
  EXPECT_NE(error({.depth = 8}).find("depth = 8"), std::string::npos);
  EXPECT_NE(error({.scratch_bytes = SIZE_MAX}).find("scratch_bytes = "), std::string::npos);
}

}  // namespace
}  // namespace thalweg::backends
