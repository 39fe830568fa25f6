// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <thalweg/core/clock.hpp>
#include <thread>

namespace thalweg {
namespace {

TEST(SteadyClock, counts_nanoseconds_and_never_goes_back) {
  const SteadyClock clock;
  const std::int64_t start = clock.now_ns();
  std::int64_t last = start;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t now = clock.now_ns();
    ASSERT_GE(now, last);
    last = now;
  }

  std::this_thread::sleep_for(std::chrono::milliseconds(2));

  EXPECT_GE(clock.now_ns() - start, 2'000'000);
  EXPECT_LT(clock.now_ns() - start, 60'000'000'000);
  EXPECT_GE(clock.now_s(), 1e-9 * static_cast<double>(start) + 2e-3);
}

}  // namespace
}  // namespace thalweg
