// SPDX-License-Identifier: MIT
#include <thalweg/app/processor_clock.hpp>

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace thalweg::app {
namespace {

TEST(ProcessorClocks, StandStillWhileTheirThreadSleeps) {
  const ProcessorClock clock;
  const std::int64_t before_ns = clock.now_ns();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LT(clock.now_ns() - before_ns, 10'000'000);
}

TEST(ProcessorClocks, GoOnWhileTheirThreadWorksAndNeverBack) {
  const ProcessorClock clock;
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t before_ns = clock.now_ns();
  std::int64_t last_ns = before_ns;
  while (last_ns - before_ns < 1'000'000) {
    volatile int x = 0;
    for (int i = 0; i < 1000; ++i) x = x + i;
    const std::int64_t now_ns = clock.now_ns();
    ASSERT_GE(now_ns, last_ns);
    last_ns = now_ns;
  }
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace thalweg::app
