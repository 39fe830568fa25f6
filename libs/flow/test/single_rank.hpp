// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <thalweg/flow/executor.hpp>

#include "loopback.hpp"

namespace thalweg::flow {

/// An executor on one rank, with all it needs. Where nothing happens it says so in seconds, long
/// before CTest would end the test.
struct SingleRank {
  explicit SingleRank(const ExecutorConfig& config, int delay = 0)
      : transport(delay), executor(watched(config), transport, clock) {}
  static ExecutorConfig watched(ExecutorConfig config) {
    config.watchdog_s = std::min(config.watchdog_s, 5.0);
    return config;
  }
  SteadyClock clock;
  Loopback transport;
  Executor executor;
};

}  // namespace thalweg::flow
